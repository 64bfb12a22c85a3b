/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the three files of the property test share: documents that are made up (random-document.c), what the kernel
 * says of a namespace (random-state.c), and the property (random.c). None of them uses libbond.
 */
#ifndef RANDOM_H
#define RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PORTS 6
#define BONDS 4

/* A number from 0 to below. */
unsigned below(unsigned below);
static inline int one_in(unsigned n)
{
	return below(n) == 0;
}

/* What a document asks for, as far as it can be looked at without knowing how: for each bond that it names. */
struct wanted_slave {
	char name[16];
	int queue_id, prio; /* -1 for not named; prio only where it is positive */
};
struct wanted_bond {
	char name[16];
	int mode; /* -1 for not named */
	int up;   /* -1 for not named */
	int mtu;  /* 0 for not named */
	struct {
		unsigned number; /* IFLA_BOND_* */
		unsigned modes;  /* bit set of the modes that take it */
		uint32_t value;
	} options[24];
	size_t option_count;
	int lists_slaves;
	struct wanted_slave slaves[PORTS + 2];
	size_t slave_count;
};
struct document {
	struct wanted_bond bonds[BONDS];
	size_t count;
	int prune;
	char text[16384];
};

/* Make a document up. */
void document_make(struct document *document);

/* --- the kernel's side --- */

#define STATE_LINES 512
#define STATE_LINE 200

/* Lines of text, sorted: all that somebody has set, and nothing that moves by itself. */
struct state {
	char lines[STATE_LINES][STATE_LINE];
	size_t count;
};

/* Open the socket; net is the namespace's /sys/class/net. 0, or -1 and a message. */
int state_open(const char *net);
void state_read(struct state *state);
/* Leave out of both the MACs that the kernel had made up before: it makes up another where one was. */
void state_forget_made_up(struct state *before, struct state *after);
/* Leave the order of slaves out. */
void state_forget_order(struct state *state);
/* Print the lines that only one of two has; how many they are. */
size_t state_differ(const struct state *before, const struct state *after, FILE *out);
/* The first thing in which the kernel is not as the document says, into why; 0 if there is none. */
int state_misses(const struct document *document, char *why, size_t size);
/* Give what is up and has none an address of each family and a route of each through it. */
void state_populate(void);
/* Set a device up or down, or change its address, beside everything else: what people do meanwhile. */
void state_set_up(const char *device, int up);

#endif
