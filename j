{
  "schema": 4,
  "command": [
    "/tmp/w/gz/g",
    "/tmp/w/gz/a3.gz",
    "l"
  ],
  "exit_code": 0,
  "signal": null,
  "wall_s": 0.448675194,
  "not_covered": null,
  "time": {
    "copying_s": 8.800377689537353e-07,
    "system_s": 0.007142583,
    "sleep_s": 0.00020251000000000036
  },
  "processes": [
    {
      "process": 26199,
      "parent": 26198,
      "program": "g",
      "wall_s": 0.4473029,
      "rank": null,
      "machine": "vm",
      "user_s": 0.443798,
      "system_s": 0.003998,
      "queued_s": 0.000125035,
      "voluntary_switches": 1,
      "barrier_waits": 0,
      "started_threads": 0,
      "connections": 0,
      "time": {
        "copying_s": 8.800377689537353e-07,
        "system_s": 0.007142583,
        "sleep_s": 0.00020251000000000036
      },
      "threads": 1,
      "ended": true,
      "lost_calls": 0
    }
  ],
  "files": [
    {
      "name": "/tmp/w/gz/a3.gz",
      "opens": 1,
      "size_bytes": 39477249,
      "regular": true,
      "calls": 4824,
      "copies": 0,
      "bytes": 39477249,
      "failures": 0,
      "system_calls": 4824,
      "system_bytes": 39477249,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 0.439148886,
      "time": {
        "copying_s": 0.0,
        "system_s": 0.007142583,
        "sleep_s": 0.00020251000000000036
      },
      "sizes": [
        {
          "below_bytes": 1,
          "calls": 1
        },
        {
          "below_bytes": 2,
          "calls": 1
        },
        {
          "below_bytes": 16384,
          "calls": 4819
        }
      ]
    },
    {
      "name": "/dev/null",
      "opens": 0,
      "size_bytes": 0,
      "regular": false,
      "calls": 1,
      "copies": 1,
      "bytes": 18,
      "failures": 0,
      "system_calls": 1,
      "system_bytes": 18,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 0.0,
      "time": {
        "copying_s": 8.800377689537353e-07,
        "system_s": 0.0,
        "sleep_s": 0.0
      },
      "sizes": [
        {
          "below_bytes": 32,
          "calls": 1
        }
      ]
    }
  ],
  "call_sites": [
    {
      "call": "read",
      "file": "/tmp/w/gz/a3.gz",
      "program": "g",
      "calls": 4821,
      "copies": 0,
      "bytes": 39477249,
      "failures": 0,
      "system_calls": 4821,
      "system_bytes": 39477249,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 0.43908383900000003,
      "time": {
        "copying_s": 0.0,
        "system_s": 0.007133633,
        "sleep_s": 0.00020251000000000036
      },
      "sizes": [
        {
          "below_bytes": 1,
          "calls": 1
        },
        {
          "below_bytes": 2,
          "calls": 1
        },
        {
          "below_bytes": 16384,
          "calls": 4819
        }
      ],
      "stack": 2
    },
    {
      "call": "close",
      "file": "/tmp/w/gz/a3.gz",
      "program": "g",
      "calls": 1,
      "copies": 0,
      "bytes": 0,
      "failures": 0,
      "system_calls": 1,
      "system_bytes": 0,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 6.303500000000001e-05,
      "time": {
        "copying_s": 0.0,
        "system_s": 4.9270000000000004e-06,
        "sleep_s": 0.0
      },
      "sizes": [],
      "stack": 4
    },
    {
      "call": "open",
      "file": "/tmp/w/gz/a3.gz",
      "program": "g",
      "calls": 1,
      "copies": 0,
      "bytes": 0,
      "failures": 0,
      "system_calls": 1,
      "system_bytes": 0,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 0.0,
      "time": {
        "copying_s": 0.0,
        "system_s": 3.4230000000000005e-06,
        "sleep_s": 0.0
      },
      "sizes": [],
      "stack": 0
    },
    {
      "call": "fprintf",
      "file": "/dev/null",
      "program": "g",
      "calls": 1,
      "copies": 1,
      "bytes": 18,
      "failures": 0,
      "system_calls": 1,
      "system_bytes": 18,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 0.0,
      "time": {
        "copying_s": 8.800377689537353e-07,
        "system_s": 0.0,
        "sleep_s": 0.0
      },
      "sizes": [
        {
          "below_bytes": 32,
          "calls": 1
        }
      ],
      "stack": 3
    },
    {
      "call": "lseek",
      "file": "/tmp/w/gz/a3.gz",
      "program": "g",
      "calls": 1,
      "copies": 0,
      "bytes": 0,
      "failures": 0,
      "system_calls": 1,
      "system_bytes": 0,
      "repeated": 0,
      "in_a_row": 0,
      "cold_bytes": 0,
      "work_before_s": 2.012e-06,
      "time": {
        "copying_s": 0.0,
        "system_s": 6e-07,
        "sleep_s": 0.0
      },
      "sizes": [],
      "stack": 1
    }
  ],
  "stacks": [
    [
      {
        "function": "libz.so.1: near gzclose+0x2b2",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "main",
        "source": "",
        "module": "/tmp/w/gz/g"
      },
      {
        "function": "libc.so.6: near __libc_init_first+0x8a",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "__libc_start_main",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "_start",
        "source": "",
        "module": "/tmp/w/gz/g"
      }
    ],
    [
      {
        "function": "libz.so.1: near gzclose+0x2e3",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "main",
        "source": "",
        "module": "/tmp/w/gz/g"
      },
      {
        "function": "libc.so.6: near __libc_init_first+0x8a",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "__libc_start_main",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "_start",
        "source": "",
        "module": "/tmp/w/gz/g"
      }
    ],
    [
      {
        "function": "libz.so.1: near gzclearerr+0x1ca",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "libz.so.1: near gzclearerr+0x2bc",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "libz.so.1: near gzclearerr+0x560",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "libz.so.1: near gzclearerr+0x7a8",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "gzgets",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "main",
        "source": "",
        "module": "/tmp/w/gz/g"
      },
      {
        "function": "libc.so.6: near __libc_init_first+0x8a",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "__libc_start_main",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "_start",
        "source": "",
        "module": "/tmp/w/gz/g"
      }
    ],
    [
      {
        "function": "main",
        "source": "",
        "module": "/tmp/w/gz/g"
      },
      {
        "function": "libc.so.6: near __libc_init_first+0x8a",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "__libc_start_main",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "_start",
        "source": "",
        "module": "/tmp/w/gz/g"
      }
    ],
    [
      {
        "function": "gzclose_r",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libz.so.1"
      },
      {
        "function": "main",
        "source": "",
        "module": "/tmp/w/gz/g"
      },
      {
        "function": "libc.so.6: near __libc_init_first+0x8a",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "__libc_start_main",
        "source": "",
        "module": "/lib/x86_64-linux-gnu/libc.so.6"
      },
      {
        "function": "_start",
        "source": "",
        "module": "/tmp/w/gz/g"
      }
    ]
  ],
  "ranks": null,
  "timeline": {
    "moment_s": 0.008388608,
    "moments": [
      {
        "at_s": 0.0,
        "written_bytes": 0,
        "read_bytes": 712704,
        "copying_s": 0.0,
        "system_s": 0.00013388,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.008388608,
        "written_bytes": 0,
        "read_bytes": 729088,
        "copying_s": 0.0,
        "system_s": 0.00012777600000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.016777216,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013368,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.025165824000000003,
        "written_bytes": 0,
        "read_bytes": 720896,
        "copying_s": 0.0,
        "system_s": 0.000132879,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.033554432,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013284900000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.04194304,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.00013427300000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.05033164800000001,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013386,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.058720256000000005,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131512,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.067108864,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132298,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.07549747200000001,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013055800000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.08388608,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132395,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.09227468800000001,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000150035,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.10066329600000001,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000146424,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.109051904,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000131412,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.11744051200000001,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000133661,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.12582912000000002,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000131977,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.134217728,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.00013245500000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.142606336,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013283900000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.15099494400000002,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132215,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.159383552,
        "written_bytes": 0,
        "read_bytes": 704512,
        "copying_s": 0.0,
        "system_s": 0.0002764019999999997,
        "sleep_s": 0.00020251000000000034
      },
      {
        "at_s": 0.16777216,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132724,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.17616076800000002,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013114300000000001,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.18454937600000001,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131521,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.192937984,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000129564,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.20132659200000003,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132869,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.20971520000000002,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131684,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.218103808,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000130276,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.226492416,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132638,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.23488102400000002,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000129178,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.243269632,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.00013429700000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.25165824000000003,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132798,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.260046848,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013703400000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.268435456,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000135628,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.27682406400000004,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000132198,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.285212672,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000135697,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.29360128,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.00013464800000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.30198988800000004,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000128701,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.310378496,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000135238,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.318767104,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132031,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.32715571200000004,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131686,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.33554432,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131034,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.343932928,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000130962,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.35232153600000005,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000133391,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.360710144,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131067,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.36909875200000003,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013257200000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.37748736000000005,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.00013289900000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.385875968,
        "written_bytes": 0,
        "read_bytes": 753664,
        "copying_s": 0.0,
        "system_s": 0.00013542,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.39426457600000003,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.00013291800000000002,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.40265318400000005,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.00013398000000000001,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.411041792,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000131679,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.41943040000000004,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000132088,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.427819008,
        "written_bytes": 0,
        "read_bytes": 737280,
        "copying_s": 0.0,
        "system_s": 0.000131272,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.436207616,
        "written_bytes": 0,
        "read_bytes": 745472,
        "copying_s": 0.0,
        "system_s": 0.000128948,
        "sleep_s": 0.0
      },
      {
        "at_s": 0.44459622400000004,
        "written_bytes": 0,
        "read_bytes": 221185,
        "copying_s": 8.800377689537353e-07,
        "system_s": 4.5900000000000004e-05,
        "sleep_s": 0.0
      }
    ]
  },
  "advice": [],
  "problems": [],
  "disturbance": {
    "others": 0.0016055555563614199,
    "host": 0.0
  }
}
