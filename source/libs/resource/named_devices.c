/* Named devices, by resource. Owns struct named_devices.
 *
 * A device that a task has is known as long as it does, offered or not, so that no other task gets
 * it. */
#include "libs/resource/named_devices.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/devices.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"

struct device {
    UT_hash_handle hh;
    uint32_t booked; /* how often; more than once only where several lists name it */
    uint32_t place;  /* in the offer */
    bool is_offered;
    char name[];
};
/* of one resource */
struct named_devices {
    struct named_devices *next;
    uint32_t resource;
    struct device *all; /* in the order of the offer */
};

static struct named_devices *devices_find(const struct named_devices *all, uint32_t resource)
{
    while (all != NULL && all->resource != resource)
        all = all->next;
    return (struct named_devices *)all;
}

static struct named_devices *devices_get(struct named_devices **all, uint32_t resource)
{
    struct named_devices *d = devices_find(*all, resource);
    if (d != NULL)
        return d;
    d = uti_calloc(1, sizeof *d);
    d->resource = resource;
    d->next = *all;
    *all = d;
    return d;
}

static struct device *device_get(struct named_devices *of, const char *name)
{
    struct device *device;
    HASH_FIND_STR(of->all, name, device);
    if (device != NULL)
        return device;
    size_t bytes = strlen(name) + 1;
    device = uti_calloc(1, sizeof *device + bytes);
    memcpy(device->name, name, bytes);
    HASH_ADD_KEYPTR(hh, of->all, device->name, bytes - 1, device);
    return device;
}

static void device_drop(struct named_devices *of, struct device *device)
{
    HASH_DEL(of->all, device);
    free(device);
}

/* ALSO_BOOKED: all of them go; else those that no task has */
static void drop_devices(struct named_devices *of, bool also_booked)
{
    struct device *device, *next;
    HASH_ITER(hh, of->all, device, next) {
        device->is_offered = false;
        if (also_booked || device->booked == 0)
            device_drop(of, device);
    }
}

void devices_free(struct named_devices *devices)
{
    while (devices != NULL) {
        struct named_devices *next = devices->next;
        drop_devices(devices, true);
        free(devices);
        devices = next;
    }
}

/* ---- what is offered ---- */
struct offering_devices {
    struct named_devices *of;
    uint32_t n; /* so far */
};

static void offer_device(void *ctx, const char *name)
{
    struct offering_devices *offering = ctx;
    struct device *device = device_get(offering->of, name);
    device->place = offering->n++;
    device->is_offered = true;
}

static int device_order(const struct device *a, const struct device *b)
{
    return (a->place > b->place) - (a->place < b->place);
}

void devices_offer_none(struct named_devices *all)
{
    for (; all != NULL; all = all->next)
        drop_devices(all, false);
}

void devices_offer(struct named_devices **all, uint32_t resource, const char *value)
{
    struct offering_devices offering = { devices_get(all, resource), 0 };
    devices_each(value, offer_device, &offering);
    HASH_SORT(offering.of->all, device_order);
}

/* ---- what tasks have ---- */
void devices_book(struct named_devices **all, uint32_t resource, const struct ST_Type_list *devices)
{
    for (uint32_t i = 0; i < devices->n; i++)
        if (devices->v[i].ST_name != NULL)
            device_get(devices_get(all, resource), devices->v[i].ST_name)->booked++;
}

void devices_release(struct named_devices *all, uint32_t resource,
                     const struct ST_Type_list *devices)
{
    for (uint32_t i = 0; i < devices->n; i++) {
        if (devices->v[i].ST_name == NULL)
            continue;
        struct named_devices *of = devices_find(all, resource);
        ASSERT(of != NULL);
        struct device *device = device_get(of, devices->v[i].ST_name);
        ASSERT(device->booked > 0);
        if (--device->booked == 0 && !device->is_offered)
            device_drop(of, device);
    }
}

bool devices_are_offered(const struct named_devices *all, uint32_t resource)
{
    const struct named_devices *of = devices_find(all, resource);
    const struct device *device = of != NULL ? of->all : NULL;
    while (device != NULL && !device->is_offered)
        device = device->hh.next;
    return device != NULL;
}

bool devices_choose(const struct named_devices *all, uint32_t resource, uint64_t amount,
                    struct ST_Type_list *out)
{
    const struct named_devices *of = devices_find(all, resource);
    const struct device *device = of != NULL ? of->all : NULL;
    for (; device != NULL && amount > 0; device = device->hh.next) {
        if (!device->is_offered || device->booked > 0)
            continue;
        cull_set((struct ST_Type *)cull_push(out), ST_name, device->name);
        amount--;
    }
    return amount == 0;
}

void devices_add_booked(const struct named_devices *all, uint32_t resource,
                        struct ST_Type_list *out)
{
    const struct named_devices *of = devices_find(all, resource);
    const struct device *device = of != NULL ? of->all : NULL;
    for (; device != NULL; device = device->hh.next)
        if (device->booked > 0)
            cull_set((struct ST_Type *)cull_push(out), ST_name, device->name);
}
