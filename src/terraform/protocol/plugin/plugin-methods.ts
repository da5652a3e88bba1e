import { methods, streams } from '../generated/messages.ts';
import type { MethodName, StreamName } from '../messages/messages.ts';
import type { Provider } from '../provider/provider.ts';
import { dispatch, dispatchStream } from '../service/dispatch.ts';
import type { Session } from '../service/session.ts';
import { countCall } from './short-process.ts';
import type { GrpcMethod, Methods } from './transport.ts';

const nothing = new Uint8Array();
/** `HealthCheckResponse { status: SERVING }` */
const serving = Uint8Array.from([0x08, 0x01]);

/** Methods for which a provider returns UNIMPLEMENTED unless it offers something for them. */
const offeredBy: Readonly<Partial<Record<MethodName | StreamName, keyof Provider<never>>>> = {
  ValidateListResourceConfig: 'lists',
  ListResource: 'lists',
  ValidateActionConfig: 'actions',
  PlanAction: 'actions',
  InvokeAction: 'actions',
};

/** All methods that one connection serves: the provider's calls, and those of Terraform's plugin protocol. */
export function methodsOf<Client>(session: Session<Client>, onShutdown: () => void): Methods {
  const served = <Name extends MethodName | StreamName>(table: Readonly<Record<Name, unknown>>) =>
    (Object.keys(table) as Name[]).filter((name) => {
      const offer = offeredBy[name];
      return offer === undefined || session.provider[offer] !== undefined;
    });
  const ofProvider = [
    ...served(methods).map((name): readonly [string, GrpcMethod] => [
      `/tfplugin6.Provider/${name}`,
      {
        kind: 'unary',
        handle: (request, signal) => {
          countCall();
          return dispatch(session, name, request, signal);
        },
      },
    ]),
    ...served(streams).map((name): readonly [string, GrpcMethod] => [
      `/tfplugin6.Provider/${name}`,
      { kind: 'stream', handle: (request, signal) => dispatchStream(session, name, request, signal) },
    ]),
  ];
  const ofPlugin: readonly (readonly [string, GrpcMethod])[] = [
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
