/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * libbond.h - the Linux bonding driver over netlink.
 *
 * Three nouns carry the whole interface:
 *
 *   config    what is wanted: values of attributes, parsed and range-checked
 *   snapshot  what the kernel said, immutable, from one consistent read
 *   report    what a change did: one line for each attribute and device
 *
 * and one table: every attribute of a bond and of a slave is a row
 * (struct libbond_attr), reached by name or by the kernel's number. Getting
 * and setting go by row, so an attribute that the kernel grows adds no symbol.
 *
 * Conventions
 *   - Functions return 0 (or a count or a length where stated), or -errno.
 *   - Out parameters are written on success only.
 *   - "err" may be NULL; it is filled on every failure, and never allocated.
 *   - Strings that go in are copied. Strings that come out belong to the object
 *     they were taken from, or to the library for good (rows, words).
 *   - Every _free function takes NULL. Changes take NULL for config, members (with count 0) and report. No
 *     other pointer may be NULL; a row from libbond_attr_find() may be missing, and is to be looked at first.
 *   - One handle (struct libbond) per thread. Rows are constant and shared;
 *     snapshots, configs and reports may be read from several threads.
 *   - The library never prints, exits, forks, or reads the environment.
 *
 * Sources of rules: "bonding" is drivers/net/bonding of Linux 7.2, "rtnetlink"
 * is net/core/rtnetlink.c, both checked by running 6.1, 6.12 and 7.2.
 */
#ifndef LIBBOND_H
#define LIBBOND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && defined(LIBBOND_BUILD)
#define LIBBOND_API __attribute__((visibility("default")))
#else
#define LIBBOND_API
#endif

/** Longest interface name with its NUL (IFNAMSIZ). */
#define LIBBOND_NAME_SIZE 16
/** Longest name by which a device can be asked for: an alternative name (ALTIFNAMSIZ). */
#define LIBBOND_ALTNAME_SIZE 128
/** A buffer of this size holds the text of any attribute value: 16 IPv6 addresses and commas. */
#define LIBBOND_TEXT_SIZE 768
/** Most entries of an ARP or NS target list (BOND_MAX_ARP_TARGETS, BOND_MAX_NS_TARGETS). */
#define LIBBOND_TARGETS_MAX 16
/** Number of bonding modes, balance-rr (0) to balance-alb (6). */
#define LIBBOND_MODES 7
/** Bit set of all modes. Bit N stands for mode N. */
#define LIBBOND_MODES_ALL 0x7fu

struct libbond;
struct libbond_attr;
struct libbond_config;
struct libbond_snapshot;
struct libbond_link;
struct libbond_report;
struct libbond_change;
struct libbond_plan;
struct libbond_probe;

/** The library's version, "MAJOR.MINOR.PATCH". */
LIBBOND_API const char *libbond_version(void);

/* ------------------------------------------------------------------ errors */

/** Stable cause of a failure; numbers are never reused. */
enum libbond_cause {
	LIBBOND_CAUSE_NONE = 0,
	LIBBOND_CAUSE_SYSTEM = 1,       /**< a system call failed; see errnum */
	LIBBOND_CAUSE_MEMORY = 2,       /**< out of memory */
	LIBBOND_CAUSE_PROTOCOL = 3,     /**< an answer that is not valid netlink */
	LIBBOND_CAUSE_TIMEOUT = 4,      /**< the kernel did not answer in time */
	LIBBOND_CAUSE_INTERRUPTED = 5,  /**< devices came and went during every repeated dump */
	LIBBOND_CAUSE_REFUSED = 10,     /**< the kernel refused; its words are in "kernel" */
	LIBBOND_CAUSE_PERMISSION = 11,  /**< CAP_NET_ADMIN (or CAP_SYS_ADMIN for a namespace) is missing */
	LIBBOND_CAUSE_NO_DRIVER = 12,   /**< this kernel has no bonding driver */
	LIBBOND_CAUSE_UNSUPPORTED = 13, /**< this kernel's driver does not know the attribute */
	LIBBOND_CAUSE_IGNORED = 14,     /**< the kernel accepted the change and did nothing */
	LIBBOND_CAUSE_OVERRIDDEN = 15,  /**< accepted, but it reads back as something else: the driver had
	                                     another reason, or another program was at work */
	LIBBOND_CAUSE_NO_DEVICE = 20,   /**< no device of that name */
	LIBBOND_CAUSE_NO_NETNS = 21,    /**< no such network namespace */
	LIBBOND_CAUSE_NOT_A_BOND = 22,  /**< the device is of another kind */
	LIBBOND_CAUSE_NOT_A_SLAVE = 23, /**< the device is not a slave of this bond */
	LIBBOND_CAUSE_HAS_MASTER = 24,  /**< the device belongs to another master */
	LIBBOND_CAUSE_EXISTS = 25,      /**< a device of that name is there already */
	LIBBOND_CAUSE_BAD_NAME = 30,    /**< impossible as an interface name */
	LIBBOND_CAUSE_BAD_ATTR = 31,    /**< no such attribute, or not settable here */
	LIBBOND_CAUSE_BAD_VALUE = 32,   /**< not a value of the attribute's type or range */
	LIBBOND_CAUSE_WRONG_MODE = 40,  /**< the bond's mode does not take the attribute */
	LIBBOND_CAUSE_BOND_UP = 41,     /**< changes only while the bond is down */
	LIBBOND_CAUSE_HAS_SLAVES = 42,  /**< changes only while the bond has no slaves */
	LIBBOND_CAUSE_CONFLICT = 43,    /**< contradicts another value, wanted or present */
	LIBBOND_CAUSE_GUARD = 44,       /**< would cut traffic or leave a bond without a link monitor; see
	                                     LIBBOND_CHANGE_FORCE */
	LIBBOND_CAUSE_CANCELLED = 45    /**< libbond_cancel() was called */
};

/** Everything about a failure. Owned by the caller; plain data, nothing to free. */
struct libbond_error {
	enum libbond_cause cause;
	int errnum;                        /**< positive errno, 0 where none applies */
	int rolled_back;                   /**< 1 if what had been done before was undone again, but for what
	                                        the report's LOST lines say */
	const struct libbond_attr *attr;   /**< the attribute that was meant, or NULL */
	char device[LIBBOND_ALTNAME_SIZE]; /**< the device that was meant, or "" */
	char message[256];                 /**< what could not be done, one sentence, no full stop */
	char kernel[192];                  /**< the kernel's own extended-ack text, or "" */
	char hint[256];                    /**< what to do next, or "" */
};

/** Stable lower-case identifier of a cause ("bond_up"), for machines. Never NULL. */
LIBBOND_API const char *libbond_cause_name(enum libbond_cause cause);

/* -------------------------------------------------------------- attributes */

/** Where an attribute lives. */
enum libbond_scope {
	LIBBOND_SCOPE_BOND,    /**< IFLA_BOND_*, on the bond */
	LIBBOND_SCOPE_AD_INFO, /**< IFLA_BOND_AD_INFO_*, inside the bond's ad_info */
	LIBBOND_SCOPE_SLAVE,   /**< IFLA_BOND_SLAVE_*, on each slave */
	LIBBOND_SCOPE_LINK,    /**< IFLA_*, on any network device; number 0 is the IFF_UP flag */
	LIBBOND_SCOPES
};

/** What kind of value an attribute holds. */
enum libbond_type {
	LIBBOND_TYPE_NUMBER,   /**< integer in [min, max] */
	LIBBOND_TYPE_BOOL,     /**< off or on */
	LIBBOND_TYPE_WORD,     /**< one word of a closed list; each has a number */
	LIBBOND_TYPE_BITS,     /**< set of named bits */
	LIBBOND_TYPE_LINK,     /**< another network device, or none */
	LIBBOND_TYPE_MAC,      /**< link-layer address */
	LIBBOND_TYPE_IP4_LIST, /**< up to 16 different IPv4 addresses, in order */
	LIBBOND_TYPE_IP6_LIST, /**< up to 16 different IPv6 addresses, in order */
	LIBBOND_TYPE_NEST      /**< holds the attributes of scope LIBBOND_SCOPE_AD_INFO */
};

/** Properties of an attribute, a bit set. */
enum libbond_attr_flag {
	LIBBOND_ATTR_READ_ONLY = 1 << 0,    /**< reported, never set */
	LIBBOND_ATTR_NEEDS_DOWN = 1 << 1,   /**< EBUSY while the bond is up (BOND_OPTFLAG_IFDOWN) */
	LIBBOND_ATTR_NEEDS_EMPTY = 1 << 2,  /**< ENOTEMPTY while there are slaves (BOND_OPTFLAG_NOSLAVES) */
	LIBBOND_ATTR_CREATE_ONLY = 1 << 3,  /**< given at creation, silently ignored later (rtnetlink) */
	LIBBOND_ATTR_OBSOLETE = 1 << 4,     /**< kept by the kernel for old programs */
	LIBBOND_ATTR_OF_MIIMON = 1 << 5,    /**< stored as a multiple of miimon, rounded down; EPERM
	                                         without miimon (bond_option_updelay_set and siblings) */
	LIBBOND_ATTR_ON_CREATE = 1 << 6,    /**< may also be given when a bond is created */
	LIBBOND_ATTR_NOT_VERIFIED = 1 << 7, /**< what was set cannot always be read back */
	LIBBOND_ATTR_RESETS = 1 << 8,       /**< a new value resets or rescales those with IS_RESET */
	LIBBOND_ATTR_IS_RESET = 1 << 9      /**< loses its value when one with RESETS changes */
};

/** When the kernel reports an attribute. */
enum libbond_presence {
	LIBBOND_PRESENT_ALWAYS,    /**< always, if the kernel knows it */
	LIBBOND_PRESENT_IF_SET,    /**< only when it has a value */
	LIBBOND_PRESENT_LACP,      /**< only in mode 802.3ad */
	LIBBOND_PRESENT_PRIVILEGED /**< only in 802.3ad and to a reader with CAP_NET_ADMIN in the
	                                initial user namespace (bond_fill_info) */
};

/** Row by name or alias; NULL if there is none. Names are matched whole. */
LIBBOND_API const struct libbond_attr *libbond_attr_find(enum libbond_scope scope, const char *name);
/** Row by the kernel's attribute number; NULL if the table does not know it. */
LIBBOND_API const struct libbond_attr *libbond_attr_number(enum libbond_scope scope, unsigned number);
/** Next row of a scope in the order the driver applies them; NULL starts, NULL ends. */
LIBBOND_API const struct libbond_attr *libbond_attr_next(enum libbond_scope scope, const struct libbond_attr *after);

/** Row for which a word stands alone, without a value ("up", "down", "clear_active_slave"), and the text
 *  of the value it means; NULL if it is no such word. */
LIBBOND_API const struct libbond_attr *libbond_attr_alone(enum libbond_scope scope, const char *word,
                                                          const char **value);
/** Word number i that stands for this row alone, NULL past the last. */
LIBBOND_API const char *libbond_attr_alone_word(const struct libbond_attr *attr, size_t i);

LIBBOND_API const char *libbond_attr_name(const struct libbond_attr *attr);
/** Alias number i (iproute2's and the kernel interface's spellings), NULL past the last. */
LIBBOND_API const char *libbond_attr_alias(const struct libbond_attr *attr, size_t i);
LIBBOND_API enum libbond_scope libbond_attr_scope(const struct libbond_attr *attr);
/** The kernel's number of the attribute within its scope. */
LIBBOND_API unsigned libbond_attr_id(const struct libbond_attr *attr);
LIBBOND_API enum libbond_type libbond_attr_type(const struct libbond_attr *attr);
/** Lowest and highest number (NUMBER), or number of entries (lists). A MAC with a lowest of 1 cannot be zero. */
LIBBOND_API int64_t libbond_attr_min(const struct libbond_attr *attr);
LIBBOND_API int64_t libbond_attr_max(const struct libbond_attr *attr);
/** Word or bit name number i and its number (bit mask for BITS); NULL past the last. */
LIBBOND_API const char *libbond_attr_word(const struct libbond_attr *attr, size_t i, int64_t *number);
/** Unit of a NUMBER ("ms"), or "". */
LIBBOND_API const char *libbond_attr_unit(const struct libbond_attr *attr);
/** The driver's default as text ("" for none or an empty list), NULL if it has none. Module
 *  parameters of the bonding module replace these; a caller that must know reads a fresh bond. */
LIBBOND_API const char *libbond_attr_default(const struct libbond_attr *attr);
/** Modes in which it may be set; elsewhere the driver answers EACCES. */
LIBBOND_API unsigned libbond_attr_modes(const struct libbond_attr *attr);
/** Modes in which it has an effect. */
LIBBOND_API unsigned libbond_attr_effect(const struct libbond_attr *attr);
/** Bit set of enum libbond_attr_flag. */
LIBBOND_API unsigned libbond_attr_flags(const struct libbond_attr *attr);
LIBBOND_API enum libbond_presence libbond_attr_presence(const struct libbond_attr *attr);
/** First mainline release with it ("3.14"); stable kernels may have it earlier: probe, never compare. */
LIBBOND_API const char *libbond_attr_since(const struct libbond_attr *attr);
/** One line, no full stop. */
LIBBOND_API const char *libbond_attr_summary(const struct libbond_attr *attr);
/** A paragraph: meaning, limits, what it interacts with. */
LIBBOND_API const char *libbond_attr_text(const struct libbond_attr *attr);

/** Name of mode 0..6 ("active-backup"), NULL for other numbers. */
LIBBOND_API const char *libbond_mode_name(unsigned mode);

/* ------------------------------------------------------------------ config */

/** An empty set of wanted values. Free with libbond_config_free(). -ENOMEM. */
LIBBOND_API int libbond_config_new(struct libbond_config **out);
LIBBOND_API void libbond_config_free(struct libbond_config *config);

/**
 * Want a value, given as text.
 *
 * NUMBER: decimal digits with an optional sign, nothing else. BOOL: on/off, 1/0, yes/no, true/false.
 * WORD: the word or its number. LINK: a name or an alternative name; "none" or "" clears. MAC: six hex
 * pairs with ':' or '-'. Lists: addresses separated by commas, "none" or "" for the empty list, or
 * edits, where every address has a sign: "+10.0.0.3,-10.0.0.1".
 *
 * -EINVAL with cause BAD_VALUE (not of the type, out of range) or BAD_ATTR (read-only), -ENOMEM.
 */
LIBBOND_API int libbond_config_set(struct libbond_config *config, const struct libbond_attr *attr, const char *text,
                                   struct libbond_error *err);
/** Forget the wanted value of an attribute, if there is one. */
LIBBOND_API void libbond_config_unset(struct libbond_config *config, const struct libbond_attr *attr);
/** 1 if a value of the attribute is wanted, else 0. */
LIBBOND_API int libbond_config_has(const struct libbond_config *config, const struct libbond_attr *attr);
/** Number of wanted values. */
LIBBOND_API size_t libbond_config_count(const struct libbond_config *config);
/** The attribute of wanted value i, in the driver's processing order; NULL past the last. */
LIBBOND_API const struct libbond_attr *libbond_config_attr(const struct libbond_config *config, size_t i);
/** Text of a wanted value, like snprintf(): the length it needs, without NUL. -ENODATA if not wanted. */
LIBBOND_API int libbond_config_text(const struct libbond_config *config, const struct libbond_attr *attr, char *buf,
                                    size_t size);
/** Number of a wanted NUMBER, BOOL or WORD. -ENODATA if not wanted, -EINVAL for other types. */
LIBBOND_API int libbond_config_number(const struct libbond_config *config, const struct libbond_attr *attr,
                                      int64_t *out);

/**
 * Whether a name can be an interface name: 1 to 15 bytes, no '/', ':', '%' or white space, not ".", "..",
 * "all", "default" or "bonding_masters" (dev_valid_name() and the trees of sysctl and sysfs).
 * 0, or -EINVAL with cause BAD_NAME and the reason.
 */
LIBBOND_API int libbond_name_check(const char *name, struct libbond_error *err);

/* ------------------------------------------------------------------ handle */

/**
 * What carries netlink messages. The default is a NETLINK_ROUTE socket; a caller may put anything
 * in its place (tests, recorded captures, fuzzers).
 */
struct libbond_transport {
	/** Send one buffer of one or more messages. 0 or -errno. */
	int (*send)(void *context, const void *data, size_t length);
	/** Receive one datagram, at most size bytes. Its length, or -errno: -EAGAIN timed out,
	 *  -ENOBUFS messages were lost, -EMSGSIZE it was longer than size. The kernel does a request's work
	 *  inside send, so that only a transport of the caller's is likely to time out. */
	long (*receive)(void *context, void *data, size_t size);
	/** A descriptor to poll, or -1. */
	int (*fd)(void *context);
	/** Release the context. May be NULL. */
	void (*close)(void *context);
	void *context;
};

/** Flags of libbond_open(). */
enum libbond_open_flag {
	LIBBOND_OPEN_FRESH_NETNS = 1 << 0 /**< make a new network namespace that lives as long as the handle */
};

/**
 * Open a handle in a network namespace. The calling thread's own namespace never changes: the socket is
 * opened by a helper thread that has ended when this returns.
 *
 * netns: NULL or "" for the present one; a name below /run/netns (as ip-netns(8) makes them), or
 * else a process id in decimal; or a path, which has a '/'.
 * Causes: NO_NETNS, PERMISSION (entering needs CAP_SYS_ADMIN), SYSTEM, MEMORY.
 */
LIBBOND_API int libbond_open(struct libbond **out, const char *netns, unsigned flags, struct libbond_error *err);
/** Open a handle on a transport, which is copied; its context is closed with the handle. On failure
 *  the transport is left to the caller. */
LIBBOND_API int libbond_open_transport(struct libbond **out, const struct libbond_transport *transport,
                                       struct libbond_error *err);
LIBBOND_API void libbond_close(struct libbond *bond);
/** The transport's descriptor, to be polled or to be found in /proc; -1 if it has none. It stays the handle's. */
LIBBOND_API int libbond_fd(const struct libbond *bond);

/* ---------------------------------------------------------------- snapshot */

/** What to leave out of a read. */
enum libbond_read_flag {
	LIBBOND_READ_NO_STATS = 1 << 0, /**< no counters: a third less to copy */
	LIBBOND_READ_NO_SLAVES = 1 << 1 /**< the bonds only */
};

/**
 * Read every bond of the namespace with its slaves. Dumps are filtered in the kernel; one that was
 * interrupted is repeated up to 16 times, then cause INTERRUPTED. No bond at all is no error: see
 * libbond_snapshot_driver(). Free with libbond_snapshot_free().
 */
LIBBOND_API int libbond_read(struct libbond *handle, unsigned flags, struct libbond_snapshot **out,
                             struct libbond_error *err);
/** Read one bond, by name or alternative name, with its slaves: two round trips, one with NO_SLAVES.
 *  Causes: NO_DEVICE, NOT_A_BOND and those of libbond_read(). */
LIBBOND_API int libbond_read_bond(struct libbond *handle, const char *name, unsigned flags,
                                  struct libbond_snapshot **out, struct libbond_error *err);
/** Read every network device of the namespace, whatever its kind. */
LIBBOND_API int libbond_read_links(struct libbond *handle, unsigned flags, struct libbond_snapshot **out,
                                   struct libbond_error *err);
LIBBOND_API void libbond_snapshot_free(struct libbond_snapshot *snapshot);

/** 1 if the bonding driver was loaded when the snapshot was taken, 0 if not, -1 if that was not seen. */
LIBBOND_API int libbond_snapshot_driver(const struct libbond_snapshot *snapshot);
/** Number of bonds, and bond i in order of interface index; NULL past the last. */
LIBBOND_API size_t libbond_snapshot_bonds(const struct libbond_snapshot *snapshot);
LIBBOND_API const struct libbond_link *libbond_snapshot_bond(const struct libbond_snapshot *snapshot, size_t i);
/** Number of links of any kind, and link i in order of interface index; NULL past the last. */
LIBBOND_API size_t libbond_snapshot_links(const struct libbond_snapshot *snapshot);
LIBBOND_API const struct libbond_link *libbond_snapshot_link(const struct libbond_snapshot *snapshot, size_t i);
/** Link by interface index, or by name or alternative name; NULL if the snapshot has none. */
LIBBOND_API const struct libbond_link *libbond_snapshot_by_index(const struct libbond_snapshot *snapshot,
                                                                 unsigned ifindex);
LIBBOND_API const struct libbond_link *libbond_snapshot_by_name(const struct libbond_snapshot *snapshot,
                                                                const char *name);

/**
 * The device with a permanent address: of a slave IFLA_BOND_SLAVE_PERM_HWADDR, what it had when it joined; else
 * IFLA_PERM_ADDRESS, else the address of a virtual device that is no bond and stands on no other. The snapshot is one
 * of libbond_read_links(), which has all devices. Causes: BAD_VALUE, NO_DEVICE, CONFLICT if two have it.
 */
LIBBOND_API int libbond_snapshot_by_permanent(const struct libbond_snapshot *snapshot, const char *address,
                                              const struct libbond_link **out, struct libbond_error *err);

LIBBOND_API const char *libbond_link_name(const struct libbond_link *link);
LIBBOND_API unsigned libbond_link_ifindex(const struct libbond_link *link);
/** Kind of the device ("bond", "veth"), "" for one without (physical, loopback). */
LIBBOND_API const char *libbond_link_kind(const struct libbond_link *link);
/** IFF_* flags. */
LIBBOND_API unsigned libbond_link_flags(const struct libbond_link *link);
LIBBOND_API int libbond_link_is_bond(const struct libbond_link *link);
/** Interface index of the master, 0 for none. */
LIBBOND_API unsigned libbond_link_master(const struct libbond_link *link);
/** Number of slaves of a bond in this snapshot, and slave i in order of interface index; NULL past it. */
LIBBOND_API size_t libbond_link_slaves(const struct libbond_link *bond);
LIBBOND_API const struct libbond_link *libbond_link_slave(const struct libbond_link *bond, size_t i);

/** 1 if the kernel reported the attribute for this link, else 0. */
LIBBOND_API int libbond_link_has(const struct libbond_link *link, const struct libbond_attr *attr);
/** Number of a NUMBER, BOOL, WORD, BITS or LINK (the interface index). -ENODATA if the kernel did not
 *  report it, -EINVAL for other types. */
LIBBOND_API int libbond_link_number(const struct libbond_link *link, const struct libbond_attr *attr, int64_t *out);
/** Text, like snprintf(): the length it needs, without NUL. libbond_config_set() takes it again, if the
 *  row can be set: but words and bits that the table does not know are their number; a LINK that is not in this
 * snapshot is '#' and its interface index. -ENODATA if the kernel did not report it. */
LIBBOND_API int libbond_link_text(const struct libbond_link *link, const struct libbond_attr *attr, char *buf,
                                  size_t size);
/** Number of entries of a list or of set bits, and the text of entry i, like snprintf(). A list that the
 *  kernel did not report has none. -EINVAL for other types or past the last. */
LIBBOND_API int libbond_link_items(const struct libbond_link *link, const struct libbond_attr *attr);
LIBBOND_API int libbond_link_item(const struct libbond_link *link, const struct libbond_attr *attr, size_t i,
                                  char *buf, size_t size);

/** What the kernel sent and the table does not know, or knows in another shape. */
struct libbond_unknown {
	enum libbond_scope scope;
	unsigned number;
	const uint8_t *bytes; /**< belongs to the snapshot */
	size_t length;
};
/** Unknown attribute i of scopes BOND, AD_INFO and SLAVE. 0, or -ENOENT past the last. */
LIBBOND_API int libbond_link_unknown(const struct libbond_link *link, size_t i, struct libbond_unknown *out);

/** Name of 64-bit counter i of struct rtnl_link_stats64 ("rx_packets"); NULL past the last. */
LIBBOND_API const char *libbond_counter_name(size_t i);
/** Value of counter i. -ENODATA if the kernel did not report it. */
LIBBOND_API int libbond_link_counter(const struct libbond_link *link, size_t i, uint64_t *out);

/* ------------------------------------------------------------------ report */

/** What became of one wanted value or of one device. */
enum libbond_outcome {
	LIBBOND_OUTCOME_APPLIED,     /**< sent, and read back as wanted */
	LIBBOND_OUTCOME_UNCHANGED,   /**< it was so already, nothing was sent */
	LIBBOND_OUTCOME_UNVERIFIED,  /**< sent and accepted; this reader cannot read it back */
	LIBBOND_OUTCOME_REFUSED,     /**< the kernel refused it */
	LIBBOND_OUTCOME_IGNORED,     /**< the kernel accepted it and did nothing: it does not know it */
	LIBBOND_OUTCOME_NOT_TRIED,   /**< not reached; in a plan that has not run: to be done */
	LIBBOND_OUTCOME_ROLLED_BACK, /**< was done and then undone */
	LIBBOND_OUTCOME_OVERRIDDEN,  /**< accepted, and reads back as something else */
	LIBBOND_OUTCOME_LOST         /**< a side effect that is not put back, or could not be */
};

/** Stable identifier of an outcome ("not_tried"). Never NULL. */
LIBBOND_API const char *libbond_outcome_name(enum libbond_outcome outcome);

/** One line of a report. */
struct libbond_report_line {
	const char *device;              /**< whose attribute, or the device itself */
	const struct libbond_attr *attr; /**< NULL: the device itself (created, enslaved, ...) */
	enum libbond_outcome outcome;
	const char *action; /**< what was asked for: "create", "delete", "enslave", "release", "set"; beside it:
	                         "put_back" (lost on the way and set again), "lose" (a side effect that stays) */
	const char *value;  /**< the value wanted, as text; of an address or route put back, its text; else "" */
	const char *was;    /**< for an attribute: the value before, as text, "" where there was none */
	const char *note;   /**< what a person should know ("stored as 200"), or "" */
};

/** An empty report. Free with libbond_report_free(). -ENOMEM. */
LIBBOND_API int libbond_report_new(struct libbond_report **out);
LIBBOND_API void libbond_report_free(struct libbond_report *report);
LIBBOND_API size_t libbond_report_count(const struct libbond_report *report);
/** Line i. 0, or -ENOENT past the last. The strings belong to the report. */
LIBBOND_API int libbond_report_line(const struct libbond_report *report, size_t i, struct libbond_report_line *out);

/* ------------------------------------------------------------------ change */

/*
 * A change is what is wanted of one bond or of several, as one transaction: all of it is done, or none. A plan
 * is made of it from the present state, sends nothing, and is then run. What holds already is no step, so that a
 * change that holds has a plan without steps.
 */

/** An empty change. Free with libbond_change_free(). -ENOMEM. */
LIBBOND_API int libbond_change_new(struct libbond_change **out);
LIBBOND_API void libbond_change_free(struct libbond_change *change);

/** What is wanted of a bond as a whole, a bit set. */
enum libbond_bond_flag {
	LIBBOND_BOND_CREATE = 1 << 0, /**< make it if it is not there */
	LIBBOND_BOND_NEW = 1 << 1,    /**< make it, and refuse (EXISTS) if it is there */
	LIBBOND_BOND_DELETE = 1 << 2, /**< delete it; goes with no other flag and no config */
	LIBBOND_BOND_EXACT = 1 << 3,  /**< slaves that the change does not name leave it */
	LIBBOND_BOND_LENIENT = 1 << 4 /**< the values are a bond's own description (show --json), which names every
	                                   option: what the mode does not take, and what this kernel does not know
	                                   while its default is wanted, stays as it is with a note; a LINK of
	                                   "none" holds where the kernel reports none */
};

/**
 * Want options (scopes BOND and LINK) of a bond; config is copied, and may be NULL. A bond is named once in a
 * change: a second time is cause CONFLICT. -EINVAL, -ENOMEM.
 */
LIBBOND_API int libbond_change_bond(struct libbond_change *change, const char *bond, unsigned flags,
                                    const struct libbond_config *config, struct libbond_error *err);

/**
 * Values for a bond that the change has named already, taken only if it is created and only where the change names
 * none. -EINVAL, -ENOMEM.
 */
LIBBOND_API int libbond_change_defaults(struct libbond_change *change, const char *bond,
                                        const struct libbond_config *config, struct libbond_error *err);

/** What is wanted of a device as a slave. */
enum libbond_slave_wish {
	LIBBOND_SLAVE_PRESENT, /**< it is a slave of the bond, and its options are to be changed */
	LIBBOND_SLAVE_IN,      /**< it is a slave afterwards */
	LIBBOND_SLAVE_OUT      /**< it is a slave now and none afterwards */
};

/**
 * Want something of a device as a slave of a bond that the change has named already. config: of scope SLAVE, and of
 * scope LINK "up", "mtu" and "txqueuelen"; for OUT only of scope LINK ("up": it does not end down). Slaves
 * that join do so in the order of these calls. Naming a device twice is cause CONFLICT, unless it leaves one bond
 * (OUT) and joins another (IN). -EINVAL, -ENOMEM.
 */
LIBBOND_API int libbond_change_slave(struct libbond_change *change, const char *bond, const char *slave,
                                     enum libbond_slave_wish wish, const struct libbond_config *config,
                                     struct libbond_error *err);
/**
 * Want a new slave in the place of an old one: the new one joins, takes over the old one's options, is waited for at
 * most wait_ms milliseconds until it can carry traffic (cause TIMEOUT otherwise; 0: not waited for), becomes active
 * or primary where the old one was, and then the old one leaves.
 */
LIBBOND_API int libbond_change_replace(struct libbond_change *change, const char *bond, const char *old_slave,
                                       const char *new_slave, unsigned wait_ms, struct libbond_error *err);
/** Want every bond of the namespace that the change does not name to be deleted. */
LIBBOND_API void libbond_change_prune(struct libbond_change *change);

/** What a plan may do beyond the change itself, a bit set. */
enum libbond_plan_flag {
	LIBBOND_PLAN_CYCLE = 1 << 0, /**< take a bond down for a moment, or its slaves out and in again, where an
	                                  option demands it; else causes BOND_UP and HAS_SLAVES */
	LIBBOND_PLAN_FORCE = 1 << 1, /**< what the guards refuse (cause GUARD): see libbond_plan() */
	LIBBOND_PLAN_STEAL = 1 << 2  /**< take an interface away from another master; else cause HAS_MASTER */
};

/**
 * Read the state and plan a change. Nothing is sent but reads. The report (may be NULL) gets a line for each
 * wanted value and device: UNCHANGED for what holds, NOT_TRIED for what is to be done; and lines "put_back" and
 * "lose" for what the steps will cost.
 *
 * Guards, overruled by LIBBOND_PLAN_FORCE: the last slave with link leaves a bond that is up; the active slave leaves
 * without a slave that could succeed it; fewer slaves with link stay than min_links wants; no link monitor is
 * left (miimon and arp_interval 0), or ARP monitoring has no target; one of miimon and arp_interval, or
 * arp_validate, turns the other off without naming it.
 *
 * Causes: NO_DEVICE, NOT_A_BOND, EXISTS, BAD_NAME, NOT_A_SLAVE, HAS_MASTER, GUARD, WRONG_MODE, BOND_UP, HAS_SLAVES,
 * CONFLICT, UNSUPPORTED, BAD_ATTR, BAD_VALUE, NO_DRIVER and those of a read. Free with libbond_plan_free().
 */
LIBBOND_API int libbond_plan(struct libbond *handle, const struct libbond_change *change, unsigned flags,
                             struct libbond_report *report, struct libbond_plan **out, struct libbond_error *err);
LIBBOND_API void libbond_plan_free(struct libbond_plan *plan);

/** How much a step disrupts. */
enum libbond_disruption {
	LIBBOND_LIVE,      /**< nothing stops */
	LIBBOND_BOND_DOWN, /**< part of taking the bond down and up again */
	LIBBOND_SLAVES_OUT /**< part of taking its slaves out and in again */
};

/** One step of a plan. */
struct libbond_step {
	const char *action; /**< "create", "delete", "down", "up", "release", "enslave", "set", "wait" (until the
	                         device can carry traffic), "put_back" (addresses, routes, neighbours) */
	const char *device; /**< what is changed */
	const char *bond;   /**< the bond it is about; device itself if that is the bond */
	const struct libbond_config *config; /**< create, set: the values; else NULL. Belongs to the plan */
	const char *text;                    /**< put_back: what ("route 192.0.2.0/24 via ..."); else "" */
	enum libbond_disruption disruption;
	const struct libbond_attr *because; /**< the option that forces the disruption, NULL for LIVE */
};

/** Number of steps; 0 when all of the change holds. */
LIBBOND_API size_t libbond_plan_steps(const struct libbond_plan *plan);
/** Step i, in the order in which they are done. 0, or -ENOENT past the last. The strings belong to the plan. */
LIBBOND_API int libbond_plan_step(const struct libbond_plan *plan, size_t i, struct libbond_step *out);

/**
 * Run a plan, once. The end is read back. On a failure what was done is undone, in reverse, and read back as well:
 * err->rolled_back is 1 if the state is as it was, and the report's lines turn to ROLLED_BACK; where undoing fails
 * too, they say what stays. What another program has written meanwhile is not overwritten, and said.
 *
 * -EIO with cause REFUSED and every wanted line APPLIED: all is done, and an address or route that was to be put back
 * is not (its line is LOST). What is done and verified is not undone for that.
 *
 * Rtnetlink has no compare-and-set: what another program does between the plan and the step is not prevented. It is
 * noticed by a look at the devices in the datagram that changes them (beyond what the socket's buffer takes, just
 * before it), and by the read-back. A value that the change does not name, and costs, is put back as the other
 * program has left it; where the change has written over it, or moved a slave that was moved: cause OVERRIDDEN, all
 * is undone, and what the other program had done is what is there then. What others do to addresses and routes from
 * the plan on is listened to, by a second socket that ends with this call: what is put back is what they have left.
 * That needs libbond_open(): a caller's transport has none.
 *
 * Causes: REFUSED, PERMISSION, IGNORED, OVERRIDDEN, TIMEOUT, CANCELLED, SYSTEM, MEMORY, PROTOCOL and those of a read.
 */
LIBBOND_API int libbond_plan_run(struct libbond *handle, struct libbond_plan *plan, struct libbond_report *report,
                                 struct libbond_error *err);
/** 1 if a plan has been run and all of it is done, also where -EIO says that something could not be put back. */
LIBBOND_API int libbond_plan_is_done(const struct libbond_plan *plan);
/** Undo a plan that was run with success: the state before it, but for what other programs have changed since. */
LIBBOND_API int libbond_plan_undo(struct libbond *handle, struct libbond_plan *plan, struct libbond_report *report,
                                  struct libbond_error *err);
/** Give up the change that runs: it stops before its next step and is undone (cause CANCELLED). May be called from
 *  a signal handler or another thread. A handle stays cancelled until its next plan. */
LIBBOND_API void libbond_cancel(struct libbond *handle);

/** A slave to be, with its own options (scope SLAVE), which may be NULL. */
struct libbond_member {
	const char *name;
	const struct libbond_config *config;
};

/*
 * The common changes in one call: a change, its plan, its run. flags: enum libbond_plan_flag. "report" may be NULL;
 * it is filled as far as the change came, also on failure. Causes: those of libbond_plan() and libbond_plan_run().
 */

/**
 * Create a bond with its options (scopes BOND and LINK), enslave the members in the given order, set
 * their options, then bring it up if the config wants that.
 *
 * A config should name the mode: without it the bonding module's parameter decides, and what depends on the
 * mode is left to the kernel to refuse. Nothing is added to the config: without miimon or arp_interval most
 * modes watch no link.
 */
LIBBOND_API int libbond_create(struct libbond *handle, const char *name, const struct libbond_config *config,
                               const struct libbond_member *members, size_t count, unsigned flags,
                               struct libbond_report *report, struct libbond_error *err);
/** Delete bonds; their slaves are released and end down (bond_uninit). Other kinds of devices are not deleted. */
LIBBOND_API int libbond_delete(struct libbond *handle, const char *const *names, size_t count,
                               struct libbond_report *report, struct libbond_error *err);
/** Set options of a bond (scopes BOND and LINK) and of its slaves (members). */
LIBBOND_API int libbond_set(struct libbond *handle, const char *name, const struct libbond_config *config,
                            const struct libbond_member *members, size_t count, unsigned flags,
                            struct libbond_report *report, struct libbond_error *err);
/**
 * Make devices slaves, in the given order. One that is up is set down first, since the driver demands it (EPERM
 * otherwise, bond_enslave); the driver itself opens a new slave. What that costs (addresses, routes) is a "lose" line
 * of the report.
 */
LIBBOND_API int libbond_enslave(struct libbond *handle, const char *bond, const char *const *slaves, size_t count,
                                unsigned flags, struct libbond_report *report, struct libbond_error *err);
/** Release slaves of this bond. They end down, with the MAC address and MTU they had before (bond_release); the
 *  traffic of an active one is moved to its successor first. */
LIBBOND_API int libbond_release(struct libbond *handle, const char *bond, const char *const *slaves, size_t count,
                                unsigned flags, struct libbond_report *report, struct libbond_error *err);

/* ------------------------------------------------------------------- probe */

/**
 * Find out which attributes the running kernel has, by making bonds in the handle's namespace and looking
 * what comes back. Use a handle opened with LIBBOND_OPEN_FRESH_NETNS: bonds named "lbprobe*" are made and
 * are gone with the namespace. Causes: NO_DRIVER, PERMISSION and those of a read.
 */
LIBBOND_API int libbond_probe(struct libbond *handle, struct libbond_probe **out, struct libbond_error *err);
LIBBOND_API void libbond_probe_free(struct libbond_probe *probe);
/** 1 the kernel has it, 0 it does not, -1 this reader cannot tell. */
LIBBOND_API int libbond_probe_has(const struct libbond_probe *probe, const struct libbond_attr *attr);
/** The same for word number i of a WORD or BOOL that can be set on a bond: 0 if the kernel refuses it where
 *  the option belongs; -1 also for other rows. */
LIBBOND_API int libbond_probe_word(const struct libbond_probe *probe, const struct libbond_attr *attr, size_t i);

#ifdef __cplusplus
}
#endif

#endif
