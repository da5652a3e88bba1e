import type { Names } from './names.ts';

/** A server with a PostgreSQL database. Other machines reach it through a proxy that ends TLS. */
export function serverComposeFile({ image, version }: Names): string {
  return `# rampart.config.yaml stands beside this file, with "login": without it, nobody outside the container may reach the server.
# The folder secrets has the files state_url and postgres_password, and those that rampart.config.yaml names.
services:
  rampart:
    image: ${image}:${version}
    command: [server]
    read_only: true
    cap_drop: [ALL]
    security_opt: ['no-new-privileges:true']
    stop_grace_period: 35s
    restart: unless-stopped
    tmpfs: [/tmp]
    environment:
      RAMPART_SERVER_LISTEN: 0.0.0.0:8080
      RAMPART_SERVER_DATA: /data
      RAMPART_AUDIT_KEY_FILE: /data/audit-key.pem
      RAMPART_STATE_URL_FILE: /run/secrets/state_url
    secrets: [state_url]
    ports: ['127.0.0.1:8080:8080']
    volumes:
      - ./rampart.config.yaml:/work/rampart.config.yaml:ro
      - ./secrets:/work/secrets:ro
      - data:/data
    healthcheck:
      test: [CMD, node, -e, "fetch('http://127.0.0.1:8080/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
      interval: 10s
      timeout: 5s
      start_period: 30s
    depends_on:
      database: { condition: service_healthy }
  worker:
    image: ${image}:${version}
    command: [server, worker]
    read_only: true
    cap_drop: [ALL]
    security_opt: ['no-new-privileges:true']
    stop_grace_period: 35s
    restart: unless-stopped
    tmpfs: [/tmp]
    environment:
      RAMPART_SERVER_DATA: /tmp/rampart
      RAMPART_STATE_URL_FILE: /run/secrets/state_url
    secrets: [state_url]
    volumes:
      - ./rampart.config.yaml:/work/rampart.config.yaml:ro
      - ./secrets:/work/secrets:ro
    depends_on:
      database: { condition: service_healthy }
  database:
    image: postgres:18
    restart: unless-stopped
    environment:
      POSTGRES_USER: rampart
      POSTGRES_DB: rampart
      POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password
    secrets: [postgres_password]
    volumes: ['database:/var/lib/postgresql']
    healthcheck:
      test: [CMD-SHELL, 'pg_isready -U rampart']
      interval: 5s
      timeout: 5s
      retries: 12
secrets:
  state_url: { file: ./secrets/state_url }
  postgres_password: { file: ./secrets/postgres_password }
volumes:
  data:
  database:
`;
}

/** The unit of a server or of a worker for systemd. */
export function systemdUnit(command: 'server' | 'worker'): string {
  const what = command === 'server' ? 'Rampart Server' : 'Worker of Rampart Server';
  // Only a server creates the key; a worker on another machine appends without it, and the server signs these records.
  const key =
    command === 'server' ? 'Environment=RAMPART_AUDIT_KEY_FILE=/var/lib/rampart/audit-key.pem\n' : '';
  return `[Unit]
Description=${what}
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=exec
User=rampart
Group=rampart
WorkingDirectory=/etc/rampart
ExecStart=/usr/local/bin/rampart server ${command === 'server' ? 'start' : 'worker'}
Environment=RAMPART_SERVER_DATA=/var/lib/rampart
${key}Environment=RAMPART_STATE_URL_FILE=%d/state_url
LoadCredential=state_url:/etc/rampart/secrets/state_url
EnvironmentFile=-/etc/rampart/rampart.env
Restart=on-failure
RestartSec=2
KillMode=mixed
TimeoutStopSec=35
StateDirectory=rampart
StateDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=multi-user.target
`;
}
