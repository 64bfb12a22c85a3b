/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes what users write: any text for any attribute, which must be refused with a reason or be printed so that it
 * is taken again as the same. The first byte chooses the attribute, the rest is the text; also tried as a name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libbond.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct libbond_attr *choose(unsigned choice)
{
	const struct libbond_attr *attr = NULL;
	unsigned scope = 0;
	while (choice--) {
		attr = libbond_attr_next((enum libbond_scope)scope, attr);
		if (!attr && ++scope == LIBBOND_SCOPES)
			scope = 0;
	}
	return attr ? attr : libbond_attr_find(LIBBOND_SCOPE_BOND, "mode");
}

static struct libbond_config *new_config(void)
{
	struct libbond_config *config;
	if (libbond_config_new(&config) < 0)
		abort();
	return config;
}

static void check_refusal(const struct libbond_error *err, int rc)
{
	if (rc != -EINVAL || err->errnum != EINVAL || !*err->message ||
	    (err->cause != LIBBOND_CAUSE_BAD_VALUE && err->cause != LIBBOND_CAUSE_BAD_ATTR))
		abort();
}

/* What was taken is printed, taken again, and printed the same. */
static void check_again(const struct libbond_config *config, const struct libbond_attr *attr)
{
	int length = libbond_config_text(config, attr, NULL, 0);
	if (length < 0)
		abort();
	char *text = malloc((size_t)length + 1), *again = malloc((size_t)length + 1);
	struct libbond_config *second = new_config();

	if (!text || !again || libbond_config_text(config, attr, text, (size_t)length + 1) != length ||
	    libbond_config_set(second, attr, text, NULL) < 0 ||
	    libbond_config_text(second, attr, again, (size_t)length + 1) != length || strcmp(text, again) != 0)
		abort();
	libbond_config_free(second);
	free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_NONE};
	if (size == 0)
		return 0;
	const struct libbond_attr *attr = choose(data[0]);
	char *text = malloc(size); /* of just its size: a read past the end is seen */
	struct libbond_config *config = new_config();

	if (!text)
		abort();
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	int rc = libbond_config_set(config, attr, text, &err);
	if (rc < 0)
		check_refusal(&err, rc);
	else
		check_again(config, attr);
	rc = libbond_name_check(text, &err);
	if (rc < 0 && (rc != -EINVAL || err.cause != LIBBOND_CAUSE_BAD_NAME))
		abort();
	if (rc == 0 && strlen(text) > 15)
		abort();
	libbond_config_free(config);
	free(text);
	return 0;
}
