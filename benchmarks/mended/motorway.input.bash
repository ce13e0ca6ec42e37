#!/bin/bash
:
