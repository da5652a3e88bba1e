import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/core/lib/hash.ts';
import { stateMigrations } from '../../../src/run/state/postgres/state-migrations.ts';
import { storeMigrations } from '../../../src/server/database/migrations.ts';

/** The first digits of the SHA-256 of every migration that landed. A new migration adds a line; no line ever changes. */
const landed = {
  rampart_server: {
    '0001': '74bee4c459f746bf',
    '0002': '02a04333313ecddf',
    '0003': '647e7ab444e6b6e0',
    '0004': '584234e4a3312eb5',
    '0005': 'bceca86452a97c60',
    '0006': '59e89967d398be92',
    '0007': 'f98462ee24f774ac',
    '0008': '3732bb99d0797d6b',
    '0009': '8a7243dcf0a39dd4',
    '0010': '5ec76217ca5c097b',
    '0011': 'beafe626fc9c19fb',
    '0012': 'd6b3ccdab4d08cca',
    '0013': '90b946c16e8515d0',
    '0014': 'eaebe275c40d8f90',
    '0015': 'dedd81bfedd2fe04',
    '0016': '6fed9c9b57a7e91a',
    '0017': '233ec478e7cfc79b',
    '0018': '990d8c3e12d3fd64',
    '0019': 'e10ef78f7db8a298',
    '0020': '791009fe017d844f',
  },
  rampart: {
    '0001': '911901229955eba8',
    '0002': '453473abcb317b5f',
    '0003': '7560715dae9d1154',
    '0004': '1dc32d4e77787a9a',
    '0005': 'a221302a1d80d273',
    '0006': '21566d21f75f25d1',
  },
};

const digestsOf = (migrations: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(migrations).map(([version, statements]) => [version, sha256Hex(statements).slice(0, 16)]),
  );

describe('a migration that landed', () => {
  it.each([
    ['the store', storeMigrations, landed.rampart_server],
    ['the shared state', stateMigrations, landed.rampart],
  ] as const)('never changes, because databases of %s keep what it did', (_, migrations, recorded) => {
    expect(digestsOf(migrations)).toEqual(recorded);
  });
});
