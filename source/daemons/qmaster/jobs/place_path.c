/* The supplies of a place. Offers are read when they are first needed after the complex or
 * complex_values have changed. */
#include "daemons/qmaster/jobs/place_path.h"

#include "libs/config/host.h"
#include "libs/resource/named_devices.h"

static const struct CE_Type_list nothing = { 0 };

static void read_offers(struct qmaster *q, struct supply *s, uint64_t *round,
                        const struct CE_Type_list *offers)
{
    const struct CE_Type_list *consumables = settings_consumables(&q->settings);
    if (*round == q->settings.complex_round)
        return;
    *round = q->settings.complex_round;
    supply_read(s, offers, consumables, &q->resources);
    supply_read_devices(s, offers, consumables, &q->resources);
}

const struct CE_Type_list *cell_offers(struct qmaster *q)
{
    const struct host *global = hosts_find(&q->hosts, HOST_OF_CELL);
    return global != NULL ? &global->rec.EH_consumable_config_list : &nothing;
}

struct path place_path(struct qmaster *q, struct qinstance *qi, struct supply *at[LEVELS])
{
    at[OF_QUEUE] = &qi->supply;
    at[OF_HOST] = &qi->host->supply;
    at[OF_CELL] = &q->hosts.cell;
    return (struct path){ at, LEVELS };
}

struct path place_path_now(struct qmaster *q, struct qinstance *qi, struct supply *at[LEVELS])
{
    struct host *h = qi->host;
    if (qi->offers_round != q->settings.complex_round)
        supply_offer(&qi->supply, RESOURCE_SLOTS, qi->rec.QU_job_slots);
    read_offers(q, &qi->supply, &qi->offers_round, &qi->rec.QU_consumable_config_list);
    read_offers(q, &h->supply, &h->offers_round, &h->rec.EH_consumable_config_list);
    read_offers(q, &q->hosts.cell, &q->hosts.cell_offers_round, cell_offers(q));
    return place_path(q, qi, at);
}
