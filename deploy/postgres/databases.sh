#!/bin/sh
# Runs once, when PostgreSQL is set up: creates a database for the servers and one for Keycloak, each with its own
# owner.
set -eu

psql --username postgres --set ON_ERROR_STOP=1 \
  --set wirebench="$WIREBENCH_DATABASE_PASSWORD" --set keycloak="$KEYCLOAK_DATABASE_PASSWORD" <<'SQL'
create user wirebench password :'wirebench';
create database wirebench owner wirebench;
create user keycloak password :'keycloak';
create database keycloak owner keycloak;
SQL
