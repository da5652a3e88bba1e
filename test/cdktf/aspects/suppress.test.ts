import { App, Aspects, type TerraformStack as Stack, Testing } from 'cdktf';
import { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { Host, NamingConvention, NoDeletions, type RuleId, suppress } from '../../../src/cdktf/index.ts';
import { annotationsOf, fleetStack, linesOf, type Make } from '../given/findings-in.ts';

const aspects = () => [new NoDeletions(), new NamingConvention({ pattern: /[A-Z]+/ })];
const reason = 'kiosks are set up anew every night';

const findingsOf = (make: Make, synths = 1) => linesOf('', aspects(), make, synths);

function kiosk(scope: Construct, id = 'kiosk'): Construct {
  const around = new Construct(scope, id);
  new Host(around, 'Default', { name: id, onDestroy: 'delete' });
  return around;
}

describe('a suppression', () => {
  test('lets what its rule finds inside the construct pass, and nothing else', () => {
    expect(
      findingsOf((stack) => {
        suppress(kiosk(stack), 'rampart:no-deletions', reason);
        kiosk(stack, 'other');
      }),
    ).toEqual([
      `info fleet/kiosk/Default: rampart:no-deletions: suppressed once: ${reason}`,
      expect.stringContaining('error fleet/kiosk/Default: rampart:naming-convention: '),
      expect.stringContaining('error fleet/other/Default: rampart:no-deletions: '),
      expect.stringContaining('error fleet/other/Default: rampart:naming-convention: '),
    ]);
  });

  test('is kept with its reason in the metadata of the construct', () => {
    const stack = fleetStack();
    suppress(stack, 'rampart:no-deletions', ` ${reason} `);
    expect(stack.node.metadata).toMatchObject([
      { type: 'rampart:suppression', data: { ruleId: 'rampart:no-deletions', reason } },
    ]);
  });

  test('of the nearest construct is the one that is used', () => {
    expect(
      findingsOf((stack) => {
        const around = kiosk(stack);
        suppress(stack, 'rampart:no-deletions', 'of the stack');
        suppress(around, 'rampart:no-deletions', 'of the kiosk');
        suppress(around, 'rampart:naming-convention', 'an old name');
      }),
    ).toEqual([
      'warn fleet: rampart:no-deletions: the suppression has no effect here: of the stack',
      'info fleet/kiosk/Default: rampart:no-deletions: suppressed once: of the kiosk',
      'info fleet/kiosk/Default: rampart:naming-convention: suppressed once: an old name',
    ]);
  });

  test('without effect is a warning, even if no aspect has its rule', () => {
    expect(
      findingsOf((stack) => {
        const host = new Host(stack, 'fine', { hostId: '1', name: 'FINE' });
        suppress(host, 'rampart:no-deletions', reason);
        suppress(host, 'rampart:required-group', reason);
      }, 2),
    ).toEqual([
      `warn fleet/fine: rampart:no-deletions: the suppression has no effect here: ${reason}`,
      `warn fleet/fine: rampart:required-group: the suppression has no effect here: ${reason}`,
    ]);
  });

  test.each<[string, string, string, string]>([
    [
      'without a reason',
      'rampart:no-deletions',
      ' ',
      'fleet/host: rampart:no-deletions is suppressed without a reason',
    ],
    ['of a rule that there is not', 'rampart:no-deletion', reason, 'did you mean rampart:no-deletions?'],
    ['of anything else', 'x', reason, 'the rules are rampart:naming-convention, '],
  ])('%s is refused', (_case, ruleId, why, message) => {
    const host = new Host(fleetStack(), 'host', { hostId: '1' });
    expect(() => suppress(host, ruleId as RuleId, why)).toThrow(message);
  });
});

describe('synth', () => {
  test('is stopped by an error, which names rule and construct', () => {
    const app = new App({ outdir: Testing.app().outdir });
    const stack = fleetStack(app);
    kiosk(stack);
    for (const aspect of aspects()) Aspects.of(stack).add(aspect);
    expect(() => app.synth()).toThrow(
      /\[fleet\/kiosk\/Default\] rampart:no-deletions: the host "kiosk" would be deleted .*\n\[fleet\/kiosk\/Default\] rampart:naming-convention: /,
    );
  });

  test('continues if all of it is suppressed, and reports it', () => {
    const stack = fleetStack();
    suppress(kiosk(stack), 'rampart:no-deletions', reason);
    Aspects.of(stack).add(new NoDeletions());
    expect(() => Testing.fullSynth(stack)).not.toThrow();
    expect(annotationsOf(stack)).toHaveLength(1);
  });

  test('repeats nothing, however often it runs', () => {
    const make = (stack: Stack) => {
      suppress(kiosk(stack), 'rampart:no-deletions', reason);
      new Host(stack, 'later', { hostId: '2', name: '${var.name}' });
    };
    expect(findingsOf(make, 3)).toEqual(findingsOf(make));
    expect(findingsOf(make)).toHaveLength(3);
  });

  test('sees what an aspect before has set', () => {
    const stack = fleetStack();
    kiosk(stack);
    Aspects.of(stack).add({
      visit: (node) => {
        if (node instanceof Host) node.addOverride('on_destroy', 'forget');
      },
    });
    Aspects.of(stack).add(new NoDeletions());
    Testing.synth(stack, true);
    expect(annotationsOf(stack)).toEqual([]);
  });

  test('searches only below the construct with the aspect', () => {
    const stack = fleetStack();
    const one = kiosk(stack, 'one');
    kiosk(stack, 'two');
    Aspects.of(one).add(new NoDeletions());
    Testing.synth(stack, true);
    expect(annotationsOf(stack).map(({ path }) => path)).toEqual(['fleet/one/Default']);
  });
});
