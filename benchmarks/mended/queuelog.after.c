/* queuelog: discrete-event simulation of a service desk with a size-rotated event log */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAXLOG (512 * 1024)
#define NSRV 12
struct event {
  double t;
  int kind, who, srv;
};

static struct event heap[1 << 18];
static int nheap;
static void push(struct event e) {
  int i = nheap++;
  while (i && heap[(i - 1) / 2].t > e.t) {
    heap[i] = heap[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  heap[i] = e;
}
static struct event pop(void) {
  struct event r = heap[0], e = heap[--nheap];
  int i = 0, c;
  while ((c = 2 * i + 1) < nheap) {
    if (c + 1 < nheap && heap[c + 1].t < heap[c].t) c++;
    if (heap[c].t >= e.t) break;
    heap[i] = heap[c];
    i = c;
  }
  heap[i] = e;
  return r;
}

static uint64_t st = 88172645463325252ULL;
static double uni(void) {
  st ^= st << 13;
  st ^= st >> 7;
  st ^= st << 17;
  return (double)(st >> 11) / 9007199254740992.0;
}
static double expo(double m) { return -m * log(1 - uni()); }

static FILE* logf_;
static int logno;
static long logsize;

static void open_log(void) {
  char name[32];
  if (logf_) fclose(logf_);
  snprintf(name, sizeof name, "desk.%03d.log", logno++);
  logf_ = fopen(name, "w");
  if (!logf_) {
    perror(name);
    exit(1);
  }
  logsize = 0;
}

static void log_event(double t, const char* what, int who, int srv, int qlen) {
  if (logsize >= MAXLOG) open_log();
  logsize += fprintf(logf_, "%012.3f %-8s customer=%d desk=%d queue=%d\n", t, what, who, srv, qlen);
}

int main(void) {
  static int queue[200000];
  static double arrived[200000];
  int qh = 0, qt = 0, busy[NSRV] = {0}, n = 75000;
  double wait = 0, maxwait = 0, last = 0;
  open_log();
  double t = 0;
  for (int i = 0; i < n; i++) {
    t += expo(1.0);
    push((struct event){t, 0, i, -1});
  }
  while (nheap) {
    struct event e = pop();
    last = e.t;
    if (e.kind == 0) {
      arrived[e.who] = e.t;
      queue[qt++] = e.who;
      log_event(e.t, "arrive", e.who, -1, qt - qh);
    } else {
      busy[e.srv] = 0;
      log_event(e.t, "leave", e.who, e.srv, qt - qh);
    }
    for (int s = 0; s < NSRV && qh < qt; s++)
      if (!busy[s]) {
        int who = queue[qh++];
        double w = e.t - arrived[who];
        wait += w;
        if (w > maxwait) maxwait = w;
        busy[s] = 1;
        push((struct event){e.t + expo(11.2), 1, who, s});
        log_event(e.t, "start", who, s, qt - qh);
      }
  }
  fclose(logf_);
  printf("%d customers, end %.2f, mean wait %.4f, longest %.4f, %d logs\n", n, last, wait / n,
         maxwait, logno);
  return 0;
}
