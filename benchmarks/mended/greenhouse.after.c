/* Simulates a greenhouse with its controller for some days, a step each ten seconds, and prints a
 * table of the days. The controller keeps two logs: what it switches and what is out of bounds. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEP 10.0
#define DAY 86400.0
#define BEDS 6

enum channel { SWITCHING, BOUNDS, CHANNELS };

static const char* const log_names[CHANNELS] = {"switching.log", "bounds.log"};
static FILE* logs[CHANNELS];

typedef struct {
  double soil_water, leaf_temperature, growth;
} Bed;

typedef struct {
  double time;
  double air, outside, humidity, light;
  int heater, vent, lamp, pump;
  Bed beds[BEDS];
  double heating_energy, lamp_energy, water;
} Greenhouse;

static double simulated_time;

/* ---- logging ------------------------------------------------------------------------------ */

static void log_start(void) {
  for (int i = 0; i < CHANNELS; i++) {
    logs[i] = fopen(log_names[i], "w");
    if (!logs[i]) {
      perror(log_names[i]);
      exit(1);
    }
  }
}

static void log_message(enum channel channel, const char* format, ...) {
  va_list arguments;
  int seconds = (int)simulated_time;
  FILE* f = logs[channel];
  fprintf(f, "day %d %02d:%02d:%02d ", seconds / 86400, seconds / 3600 % 24, seconds / 60 % 60,
          seconds % 60);
  va_start(arguments, format);
  vfprintf(f, format, arguments);
  va_end(arguments);
  fputc('\n', f);
}

static void log_end(void) {
  for (int i = 0; i < CHANNELS; i++) fclose(logs[i]);
}

/* ---- the controller ----------------------------------------------------------------------- */

static void switch_to(int* device, int on, const char* name, double because) {
  if (*device != on) {
    *device = on;
    log_message(SWITCHING, "%s %s at %.2f", name, on ? "on" : "off", because);
  }
}

static void control(Greenhouse* g) {
  double hour = fmod(g->time, DAY) / 3600;
  double wanted = hour > 6 && hour < 21 ? 21.0 : 16.0;
  if (g->air < wanted - 0.15)
    switch_to(&g->heater, 1, "heater", g->air);
  else if (g->air > wanted + 0.10)
    switch_to(&g->heater, 0, "heater", g->air);
  if (g->air > wanted + 0.8 || g->humidity > 0.80)
    switch_to(&g->vent, 1, "vent", g->humidity);
  else if (g->air < wanted + 0.6 && g->humidity < 0.795)
    switch_to(&g->vent, 0, "vent", g->humidity);
  switch_to(&g->lamp, hour > 5 && hour < 20 && g->light < 180, "lamp", g->light);
  double driest = 1;
  for (int i = 0; i < BEDS; i++)
    if (g->beds[i].soil_water < driest) driest = g->beds[i].soil_water;
  if (driest < 0.35)
    switch_to(&g->pump, 1, "pump", driest);
  else if (driest > 0.37)
    switch_to(&g->pump, 0, "pump", driest);
}

static void check_bounds(const Greenhouse* g) {
  for (int i = 0; i < BEDS; i++)
    if (g->beds[i].leaf_temperature > 27.5)
      log_message(BOUNDS, "bed %d: leaves at %.2f", i, g->beds[i].leaf_temperature);
  if (g->humidity > 0.806) log_message(BOUNDS, "humidity %.3f", g->humidity);
}

/* ---- physics ------------------------------------------------------------------------------ */

static double vapour_pressure(double t) { return 0.6108 * exp(17.27 * t / (t + 237.3)); }

static void step(Greenhouse* g) {
  double day = g->time / DAY, hour = fmod(g->time, DAY) / 3600;
  double sun = sin((hour - 6) / 14 * M_PI);
  double cloud = 0.55 + 0.45 * sin(day * 2.3) * cos(hour * 1.7);
  g->light = hour > 6 && hour < 20 ? 800 * sun * cloud : 0;
  g->outside = 8 + 7 * sin((hour - 9) / 12 * M_PI) + 3 * sin(day * 0.9);
  double light = g->light + (g->lamp ? 150 : 0);
  double transpired = 0;
  for (int i = 0; i < BEDS; i++) {
    Bed* b = &g->beds[i];
    double deficit = vapour_pressure(b->leaf_temperature) - g->humidity * vapour_pressure(g->air);
    double stomata = b->soil_water * light / (light + 120);
    double flow = deficit > 0 ? stomata * deficit * 1.2e-4 * STEP / 10 : 0;
    transpired += flow;
    b->soil_water += (g->pump ? 4e-4 * (1 + 0.1 * i) : 0) - flow * 0.6;
    if (b->soil_water > 1) b->soil_water = 1;
    b->leaf_temperature += 0.05 * (g->air + light * 0.011 - flow * 9000 - b->leaf_temperature);
    b->growth += stomata * exp(-pow((b->leaf_temperature - 22) / 8, 2)) * STEP / 3600;
  }
  double exchange = g->vent ? 0.008 : 0.0012;
  g->air += exchange * (g->outside - g->air) + light * 1.1e-5 + (g->heater ? 0.035 : 0);
  g->humidity += transpired * 14 / vapour_pressure(g->air) - exchange * (g->humidity - 0.6);
  g->heating_energy += g->heater ? 9.0 * STEP / 3600 : 0;
  g->lamp_energy += g->lamp ? 2.4 * STEP / 3600 : 0;
  g->water += g->pump ? 0.15 * STEP : 0;
  g->time += STEP;
}

int main(int argc, char** argv) {
  int days = argc > 1 ? atoi(argv[1]) : 80;
  Greenhouse g;
  memset(&g, 0, sizeof g);
  g.air = 18;
  g.humidity = 0.7;
  for (int i = 0; i < BEDS; i++) {
    g.beds[i].soil_water = 0.4 + 0.03 * i;
    g.beds[i].leaf_temperature = 18;
  }
  log_start();
  puts("day  heating    lamps    water  air    humidity  growth");
  for (int day = 0; day < days; day++) {
    double air = 0, humidity = 0;
    int steps = (int)(DAY / STEP);
    for (int i = 0; i < steps; i++) {
      simulated_time = g.time;
      control(&g);
      check_bounds(&g);
      step(&g);
      air += g.air;
      humidity += g.humidity;
    }
    printf("%3d %8.1f %8.1f %8.1f %5.2f %9.4f ", day, g.heating_energy, g.lamp_energy, g.water,
           air / steps, humidity / steps);
    for (int i = 0; i < BEDS; i++) printf(" %7.2f", g.beds[i].growth);
    putchar('\n');
  }
  log_end();
  return 0;
}
