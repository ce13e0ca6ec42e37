/* Reads sales from standard input ("number;till;article;quantity;price"), writes a receipt line for
 * each to standard output, warnings to warnings.txt, and at the end the totals of the tills. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILLS 32
#define ARTICLES 64

struct sale {
  long number;
  int till;
  char article[24];
  int quantity;
  long cents;
};

struct article {
  char name[24];
  long sold, cents;
};

static struct article articles[ARTICLES];
static int article_count;
static long till_cents[TILLS];
static FILE* warnings;

/* Prints one line of the journal. */
static void journal(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stdout, format, arguments);
  va_end(arguments);
  fputc('\n', stdout);
  fflush(stdout);
}

static void warn(long number, const char* what) {
  fprintf(warnings, "sale %ld: %s\n", number, what);
}

static char* field(char** rest) {
  char* start = *rest;
  if (!start) return NULL;
  char* end = strpbrk(start, ";\n");
  if (end) {
    *rest = *end == ';' ? end + 1 : NULL;
    *end = 0;
  } else
    *rest = NULL;
  return start;
}

static int parse_sale(char* line, struct sale* s) {
  char* rest = line;
  char *number = field(&rest), *till = field(&rest), *name = field(&rest);
  char *quantity = field(&rest), *price = field(&rest);
  if (!number || !till || !name || !quantity || !price) return 0;
  s->number = atol(number);
  s->till = atoi(till);
  snprintf(s->article, sizeof s->article, "%s", name);
  s->quantity = atoi(quantity);
  s->cents = (long)(atof(price) * 100 + 0.5);
  return s->till >= 0 && s->till < TILLS;
}

static struct article* article_named(const char* name) {
  for (int i = 0; i < article_count; i++)
    if (!strcmp(articles[i].name, name)) return &articles[i];
  struct article* a = &articles[article_count++];
  strcpy(a->name, name);
  return a;
}

static void post(const struct sale* s) {
  long amount = s->cents * s->quantity;
  struct article* a = article_named(s->article);
  a->sold += s->quantity;
  a->cents += amount;
  till_cents[s->till] += amount;
  if (s->cents < 100) warn(s->number, "very cheap");
  journal("%08ld  till %2d  %-12s %3d x %7.2f = %9.2f", s->number, s->till, s->article, s->quantity,
          (double)s->cents / 100, (double)amount / 100);
}

static void totals(void) {
  journal("%s", "----");
  for (int i = 0; i < TILLS; i++)
    if (till_cents[i]) journal("till %2d: %12.2f", i, (double)till_cents[i] / 100);
  for (int i = 0; i < article_count; i++)
    journal("%-12s %8ld sold for %12.2f", articles[i].name, articles[i].sold,
            (double)articles[i].cents / 100);
}

int main(void) {
  char line[256];
  struct sale s;
  long bad = 0;
  warnings = fopen("warnings.txt", "w");
  if (!warnings) {
    perror("warnings.txt");
    return 1;
  }
  while (fgets(line, sizeof line, stdin)) {
    if (parse_sale(line, &s))
      post(&s);
    else
      bad++;
  }
  totals();
  journal("%ld bad lines", bad);
  fclose(warnings);
  return 0;
}
