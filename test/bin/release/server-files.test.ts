import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { releaseNames } from '../../../bin/release/names.ts';
import { serverComposeFile, systemdUnit } from '../../../bin/release/server-files.ts';

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly command?: readonly string[];
        readonly environment?: Readonly<Record<string, string>>;
        readonly ports?: readonly string[];
        readonly read_only?: boolean;
      }
    >
  >;
}

describe('the files that run a server', () => {
  const { services } = parse(serverComposeFile(releaseNames())) as Compose;

  it('start a server, a worker and a database, with secrets in files only', () => {
    expect(Object.keys(services)).toEqual(['rampart', 'worker', 'database']);
    for (const { environment = {} } of Object.values(services)) {
      const secrets = Object.keys(environment).filter((name) => /PASSWORD|SECRET|TOKEN|STATE_URL/.test(name));
      expect(secrets.every((name) => name.endsWith('_FILE'))).toBe(true);
    }
    expect(services['rampart']?.command).toEqual(['server']);
    expect(services['worker']?.command).toEqual(['server', 'worker']);
  });

  it('publish the server on loopback only, because a proxy ends TLS', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:8080']);
  });

  it('let the server write only its data, and take it 35 s to end its runs', () => {
    const words = { server: 'start', worker: 'worker' };
    for (const command of ['server', 'worker'] as const) {
      const unit = systemdUnit(command);
      expect(unit).toContain(`ExecStart=/usr/local/bin/rampart server ${words[command]}\n`);
      expect(unit).toContain('ProtectSystem=strict\n');
      expect(unit).toContain('TimeoutStopSec=35\n');
      expect(unit).toContain('NoNewPrivileges=yes\n');
      expect(unit).not.toContain('MemoryDenyWriteExecute');
    }
  });
});
