/* What is taken of resources that run out. Owns struct stock, and the devices in it.
 *
 * An entry of which something is taken stays, so that an offer that comes back finds it. Others go
 * when the offers are read anew, since most of them are soon needed again. The same holds for
 * devices: one that is taken is known as long as it is, offered or not, so that nobody else gets
 * it. */
#include "daemons/qmaster/tables/stock.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/devices.h"
#include "libs/resource/consumption.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"
#include "libs/uti/hash.h"

struct stock_device {
    UT_hash_handle hh;
    uint32_t taken; /* how often; more than once only where several lists name it */
    uint32_t place; /* in the offer */
    bool is_offered;
    char name[];
};

/* ---- devices ---- */
static struct stock_device *device_get(struct stock_entry *entry, const char *name)
{
    struct stock_device *device;
    HASH_FIND_STR(entry->devices, name, device);
    if (device != NULL)
        return device;
    size_t bytes = strlen(name) + 1;
    device = uti_calloc(1, sizeof *device + bytes);
    memcpy(device->name, name, bytes);
    HASH_ADD_KEYPTR(hh, entry->devices, device->name, bytes - 1, device);
    return device;
}

static void device_drop(struct stock_entry *entry, struct stock_device *device)
{
    HASH_DEL(entry->devices, device);
    free(device);
}

/* ALSO_TAKEN: all of them go; else those of which nothing is taken */
static void drop_devices(struct stock_entry *entry, bool also_taken)
{
    struct stock_device *device, *next;
    HASH_ITER(hh, entry->devices, device, next) {
        device->is_offered = false;
        if (also_taken || device->taken == 0)
            device_drop(entry, device);
    }
}

struct offering {
    struct stock_entry *entry;
    uint32_t n; /* devices so far */
};

static void offer_device(void *ctx, const char *name)
{
    struct offering *offering = ctx;
    struct stock_device *device = device_get(offering->entry, name);
    device->place = offering->n++;
    device->is_offered = true;
}

static int device_order(const struct stock_device *a, const struct stock_device *b)
{
    return (a->place > b->place) - (a->place < b->place);
}

static void offer_devices(struct stock_entry *entry, const char *value)
{
    struct offering offering = { entry, 0 };
    devices_each(value, offer_device, &offering);
    HASH_SORT(entry->devices, device_order);
}

static void take_devices(struct stock_entry *entry, const struct ST_Type_list *devices)
{
    for (uint32_t i = 0; devices != NULL && i < devices->n; i++)
        if (devices->v[i].ST_name != NULL)
            device_get(entry, devices->v[i].ST_name)->taken++;
}

static void give_devices(struct stock_entry *entry, const struct ST_Type_list *devices)
{
    for (uint32_t i = 0; devices != NULL && i < devices->n; i++) {
        if (devices->v[i].ST_name == NULL)
            continue;
        struct stock_device *device = device_get(entry, devices->v[i].ST_name);
        ASSERT(device->taken > 0);
        if (--device->taken == 0 && !device->is_offered)
            device_drop(entry, device);
    }
}

/* ---- entries ---- */
static void entry_clear(struct stock_entry *entry)
{
    drop_devices(entry, true);
    cull_string_drop(entry->name);
}

void stock_free(struct stock *l)
{
    for (uint32_t i = 0; i < l->n; i++)
        entry_clear(&l->v[i]);
    free(l->v);
    *l = (struct stock){ 0 };
}

/* where NAME is, or belongs */
static uint32_t place_of(const struct stock *l, const char *name)
{
    uint32_t low = 0, high = l->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(l->v[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct stock_entry *entry_find(const struct stock *l, const char *name)
{
    uint32_t at = place_of(l, name);
    return at < l->n && strcmp(l->v[at].name, name) == 0 ? &l->v[at] : NULL;
}

static struct stock_entry *entry_get(struct stock *l, const char *name)
{
    struct stock_entry *entry = entry_find(l, name);
    if (entry != NULL)
        return entry;
    uint32_t at = place_of(l, name);
    l->v = uti_vec_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
    memmove(&l->v[at + 1], &l->v[at], (l->n - at) * sizeof *l->v);
    l->n++;
    l->v[at] = (struct stock_entry){ .name = cull_string_new(name, strlen(name)) };
    return &l->v[at];
}

/* nothing is offered any more */
static void drop_offers(struct stock *l)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        l->v[i].is_offered = false;
        drop_devices(&l->v[i], false);
        if (l->v[i].taken > 0)
            l->v[kept++] = l->v[i];
        else
            entry_clear(&l->v[i]);
    }
    l->n = kept;
}

void stock_offer(struct stock *l, const struct CE_Type_list *offers,
                 const struct CE_Type_list *resources, bool slots_too)
{
    drop_offers(l);
    for (uint32_t i = 0; i < offers->n; i++) {
        const char *name = offers->v[i].CE_name, *value = offers->v[i].CE_stringval;
        const struct CE_Type *ce = consumables_find(resources, name);
        bool is_slots = slots_too && strcmp(name, "slots") == 0;
        if (ce == NULL && !is_slots)
            continue;
        struct stock_entry *entry = entry_get(l, name);
        entry->offered = amount_offered(is_slots ? COMPLEX_INT : ce->CE_valtype, value);
        entry->is_offered = true;
        if (ce != NULL && ce->CE_valtype == COMPLEX_RSMAP)
            offer_devices(entry, value);
    }
}

bool stock_left(const struct stock *l, const char *name, bool as_if_unused, int64_t *left)
{
    const struct stock_entry *entry = entry_find(l, name);
    if (entry == NULL || !entry->is_offered || entry->offered == AMOUNT_UNLIMITED)
        return false;
    *left = (int64_t)entry->offered - (as_if_unused ? 0 : (int64_t)entry->taken);
    return true;
}

bool stock_has_room(const struct stock *l, const char *name, uint64_t amount)
{
    const struct stock_entry *entry = entry_find(l, name);
    if (entry == NULL || !entry->is_offered || entry->offered == AMOUNT_UNLIMITED)
        return true;
    return entry->taken <= entry->offered && entry->offered - entry->taken >= amount;
}

void stock_take(struct stock *l, const char *name, uint64_t amount,
                const struct ST_Type_list *devices)
{
    struct stock_entry *entry = entry_get(l, name);
    entry->taken += amount;
    take_devices(entry, devices);
}

void stock_give(struct stock *l, const char *name, uint64_t amount,
                const struct ST_Type_list *devices)
{
    struct stock_entry *entry = entry_find(l, name);
    ASSERT(entry != NULL);
    entry->taken -= amount;
    give_devices(entry, devices);
}

uint64_t stock_taken(const struct stock *l, const char *name)
{
    const struct stock_entry *entry = entry_find(l, name);
    return entry != NULL ? entry->taken : 0;
}

bool stock_names_devices(const struct stock *l, const char *name)
{
    const struct stock_entry *entry = entry_find(l, name);
    const struct stock_device *device = entry != NULL && entry->is_offered ? entry->devices : NULL;
    while (device != NULL && !device->is_offered)
        device = device->hh.next;
    return device != NULL;
}

bool stock_choose(const struct stock *l, const char *name, uint64_t amount,
                  struct ST_Type_list *out)
{
    const struct stock_entry *entry = entry_find(l, name);
    const struct stock_device *device = entry != NULL ? entry->devices : NULL;
    for (; device != NULL && amount > 0; device = device->hh.next) {
        if (!device->is_offered || device->taken > 0)
            continue;
        cull_set((struct ST_Type *)cull_push(out), ST_name, device->name);
        amount--;
    }
    return amount == 0;
}

void stock_entry_devices(const struct stock_entry *entry, struct ST_Type_list *out)
{
    const struct stock_device *device = entry->devices;
    for (; device != NULL; device = device->hh.next)
        if (device->taken > 0)
            cull_set((struct ST_Type *)cull_push(out), ST_name, device->name);
}
