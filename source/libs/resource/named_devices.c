/* Named devices of supplies. Owns struct named_devices.
 *
 * A device that a task has is known as long as it does, offered or not, so that no other task gets
 * it. */
#include "libs/resource/named_devices.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/devices.h"
#include "libs/resource/consumption.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

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

static struct named_devices *devices_find(const struct supply *s, uint32_t resource)
{
    struct named_devices *d = s->devices;
    while (d != NULL && d->resource != resource)
        d = d->next;
    return d;
}

static struct named_devices *devices_get(struct supply *s, uint32_t resource)
{
    struct named_devices *d = devices_find(s, resource);
    if (d != NULL)
        return d;
    d = uti_calloc(1, sizeof *d);
    d->resource = resource;
    d->next = s->devices;
    s->devices = d;
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

void supply_read_devices(struct supply *s, const struct CE_Type_list *offers,
                         const struct CE_Type_list *consumables, struct resource_names *names)
{
    for (struct named_devices *d = s->devices; d != NULL; d = d->next)
        drop_devices(d, false);
    for (uint32_t i = 0; i < offers->n; i++) {
        const struct CE_Type *row = consumables_find(consumables, offers->v[i].CE_name);
        if (row == NULL || row->CE_valtype != COMPLEX_RSMAP)
            continue;
        uint32_t resource = resource_name_get(names, row->CE_name)->number;
        struct offering_devices offering = { devices_get(s, resource), 0 };
        devices_each(offers->v[i].CE_stringval, offer_device, &offering);
        HASH_SORT(offering.of->all, device_order);
    }
}

/* ---- what tasks have ---- */
void supply_book_devices(struct supply *s, uint32_t resource, const struct ST_Type_list *devices)
{
    for (uint32_t i = 0; i < devices->n; i++)
        if (devices->v[i].ST_name != NULL)
            device_get(devices_get(s, resource), devices->v[i].ST_name)->booked++;
}

void supply_release_devices(struct supply *s, uint32_t resource, const struct ST_Type_list *devices)
{
    for (uint32_t i = 0; i < devices->n; i++) {
        if (devices->v[i].ST_name == NULL)
            continue;
        struct named_devices *of = devices_find(s, resource);
        ASSERT(of != NULL);
        struct device *device = device_get(of, devices->v[i].ST_name);
        ASSERT(device->booked > 0);
        if (--device->booked == 0 && !device->is_offered)
            device_drop(of, device);
    }
}

bool supply_names_devices(const struct supply *s, uint32_t resource)
{
    const struct named_devices *of = devices_find(s, resource);
    const struct device *device = of != NULL ? of->all : NULL;
    while (device != NULL && !device->is_offered)
        device = device->hh.next;
    return device != NULL;
}

bool supply_choose_devices(const struct supply *s, uint32_t resource, uint64_t amount,
                           struct ST_Type_list *out)
{
    const struct named_devices *of = devices_find(s, resource);
    const struct device *device = of != NULL ? of->all : NULL;
    for (; device != NULL && amount > 0; device = device->hh.next) {
        if (!device->is_offered || device->booked > 0)
            continue;
        cull_set((struct ST_Type *)cull_push(out), ST_name, device->name);
        amount--;
    }
    return amount == 0;
}

void supply_add_devices(const struct supply *s, uint32_t resource, struct ST_Type_list *out)
{
    const struct named_devices *of = devices_find(s, resource);
    const struct device *device = of != NULL ? of->all : NULL;
    for (; device != NULL; device = device->hh.next)
        if (device->booked > 0)
            cull_set((struct ST_Type *)cull_push(out), ST_name, device->name);
}
