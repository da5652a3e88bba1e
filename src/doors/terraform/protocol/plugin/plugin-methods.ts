import { dispatch, methodNames } from '../service/dispatch.ts';
import type { Session } from '../service/session.ts';
import type { Method, Methods } from './transport.ts';

const nothing = new Uint8Array();
/** `HealthCheckResponse { status: SERVING }` */
const serving = Uint8Array.from([0x08, 0x01]);

/** All methods that one connection serves: the provider's calls, and those of Terraform's plugin protocol. */
export function methodsOf<Client>(session: Session<Client>, onShutdown: () => void): Methods {
  const ofProvider = methodNames.map((name): readonly [string, Method] => [
    `/tfplugin6.Provider/${name}`,
    { kind: 'unary', handle: (request, signal) => dispatch(session, name, request, signal) },
  ]);
  const ofPlugin: readonly (readonly [string, Method])[] = [
    [
      '/plugin.GRPCController/Shutdown',
      {
        kind: 'unary',
        handle: async () => {
          onShutdown();
          return nothing;
        },
      },
    ],
    ['/plugin.GRPCStdio/StreamStdio', { kind: 'answers', first: [] }],
    ['/plugin.GRPCBroker/StartStream', { kind: 'silent' }],
    ['/grpc.health.v1.Health/Check', { kind: 'unary', handle: async () => serving }],
    ['/grpc.health.v1.Health/Watch', { kind: 'answers', first: [serving] }],
  ];
  return new Map([...ofProvider, ...ofPlugin]);
}
