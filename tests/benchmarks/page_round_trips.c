/* Page round trips on a star, as little of them as gives the same counts: what the compiled plane is
 * measured against. One heap, and one event a hop.
 *
 * `Star.as_text` in page_round_trips.py writes what this reads; draws are those of
 * model/ground/randomness.py, times of faults those of model/ground/paging.py. Prints the round
 * trips, the ns for which all processes wait for pages, and the seconds of processor time.
 */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_NODES = 64, HOPS = 6 };

struct loan { int64_t server, amount; };
struct hop { int64_t station, held_ns, latency_ns; };

struct process {
    uint64_t fault, lender, relocation; /* states of its streams */
    int64_t left_ns, loaded, borrowed;
    int loans, hop;
    struct loan loan[MOST_NODES];
    struct hop hops[HOPS]; /* of its present round trip */
};

struct event { int64_t time_ns; struct process *process; };

static int64_t latency_ns, switch_ns, request_ns, reply_ns, page, page_walk_ns, limit;
static int64_t free_ns[MOST_NODES + 1]; /* of the link of each node, and of the switch */
static struct process processes[MOST_NODES];
static struct event heap[MOST_NODES];
static int pending;

static int64_t number(void) {
    int64_t value;
    if (scanf("%" SCNd64, &value) != 1)
        exit(EXIT_FAILURE);
    return value;
}

static double draw(uint64_t *state) {
    uint64_t bits = *state += 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    bits ^= bits >> 31;
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

static bool before(struct event one, struct event other) {
    if (one.time_ns != other.time_ns)
        return one.time_ns < other.time_ns;
    return one.process < other.process;
}

/* Put an event where the first one was. */
static void replace_first(struct event event) {
    int place = 0;
    for (int child = 1; child < pending; child = 2 * place + 1) {
        if (child + 1 < pending && before(heap[child + 1], heap[child]))
            child++;
        if (!before(heap[child], event))
            break;
        heap[place] = heap[child];
        place = child;
    }
    heap[place] = event;
}

static int64_t pick_lender(struct process *process) {
    int64_t point = (int64_t)(draw(&process->lender) * (double)process->borrowed);
    struct loan *loan = process->loan;
    while ((point -= loan->amount) >= 0)
        loan++;
    return loan->server;
}

/* CPU time to the next fault, or -1 if the process ends before. */
static int64_t compute(struct process *process, int64_t rank, int64_t nodes) {
    if (process->loaded == limit) {
        double unloaded = (double)(limit - page) * sqrt(1.0 - draw(&process->relocation));
        process->loaded -= (int64_t)((double)limit - unloaded + 0.5);
    }
    double mean_ns = (double)page_walk_ns * ((double)limit / (double)(limit - process->loaded));
    double exact_ns = fmin(0.5 - mean_ns * log(draw(&process->fault)), 0x1p62);
    int64_t cpu_ns = exact_ns < 1 ? 1 : (int64_t)exact_ns;
    if (cpu_ns >= process->left_ns)
        return -1;
    process->left_ns -= cpu_ns;
    process->loaded = process->loaded + page < limit ? process->loaded + page : limit;
    int64_t lender = pick_lender(process);
    process->hops[0] = (struct hop){rank, request_ns, latency_ns};
    process->hops[1] = (struct hop){nodes, switch_ns, 0};
    process->hops[2] = (struct hop){lender, request_ns, latency_ns};
    process->hops[3] = (struct hop){lender, reply_ns, latency_ns};
    process->hops[4] = (struct hop){nodes, switch_ns, 0};
    process->hops[5] = (struct hop){rank, reply_ns, latency_ns};
    process->hop = 0;
    return cpu_ns;
}

int main(void) {
    int64_t nodes = number(), ranks = number(), demand_ns = number();
    latency_ns = number(), switch_ns = number(), request_ns = number(), reply_ns = number();
    page = number(), page_walk_ns = number(), limit = number();
    for (int64_t rank = 0; rank < ranks; rank++) {
        struct process *process = &processes[rank];
        process->left_ns = demand_ns;
        process->fault = (uint64_t)number();
        process->lender = (uint64_t)number();
        process->relocation = (uint64_t)number();
        process->loans = (int)number();
        for (int i = 0; i < process->loans; i++) {
            process->loan[i].server = number();
            process->loan[i].amount = number();
            process->borrowed += process->loan[i].amount;
        }
    }
    clock_t began = clock();
    for (int64_t rank = 0; rank < ranks; rank++) {
        heap[pending++] = (struct event){0, &processes[rank]}; /* in order: by time, by rank */
        processes[rank].hop = HOPS;                            /* as if a page had come */
    }
    int64_t round_trips = -ranks, waited_ns = 0;
    while (pending) {
        struct event event = heap[0];
        struct process *process = event.process;
        if (process->hop == HOPS) {
            round_trips++;
            waited_ns += event.time_ns;
            int64_t cpu_ns = compute(process, process - processes, nodes);
            if (cpu_ns < 0) {
                event = heap[--pending];
            } else {
                event.time_ns += cpu_ns;
                waited_ns -= event.time_ns;
            }
        } else {
            struct hop hop = process->hops[process->hop++];
            int64_t free = free_ns[hop.station];
            free = (free > event.time_ns ? free : event.time_ns) + hop.held_ns;
            free_ns[hop.station] = free;
            event.time_ns = free + hop.latency_ns;
        }
        replace_first(event);
    }
    printf("%" PRId64 " %" PRId64 " %f\n", round_trips, waited_ns, (double)(clock() - began) / CLOCKS_PER_SEC);
}
