import type { HostId } from '../../../../core/model/host-id.ts';
import { requestConnection } from '../../../../service/wire/request-connection.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { isHostId } from '../host/schema.ts';
import { kit, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';

export const connectionTicket = kit.ephemeral({
  schema: defineSchema({
    description:
      'A ticket for one remote session with a host, which is stored nowhere. Terraform opens it in the plan and again in the apply: each is a ticket of its own.',
    attributes: {
      host_id: {
        type: 'string',
        required: true,
        description: 'The host to connect to, which has to be online.',
        validate: [isHostId],
      },
      direct_link: {
        type: 'bool',
        optional: true,
        computed: true,
        description:
          'A link that connects without a browser extension (the default), or with false one to a page that offers both.',
      },
      fail_when_in_session: {
        type: 'bool',
        optional: true,
        computed: true,
        description:
          'Fail where someone is connected to the host already. True where it is not set, as a plan alone must not disturb anyone.',
      },
      gateway_url: {
        type: 'string',
        computed: true,
        nonNull: true,
        sensitive: true,
        description: 'Where to connect. Whoever has it can.',
      },
      session_ticket_id: {
        type: 'string',
        computed: true,
        nonNull: true,
        sensitive: true,
        description: 'The ticket’s number.',
      },
    },
  }),
  open: ({ host_id, direct_link, fail_when_in_session }, call) =>
    withService(call, async ({ session }) => {
      const intent = { directLink: direct_link ?? true, failWhenInSession: fail_when_in_session ?? true };
      const ticket = await requestConnection(session.client, host_id as HostId, intent);
      if (!ticket.ok) return { diagnostics: toDiagnostics(ticket.problems, ['host_id']) };
      return {
        result: {
          host_id,
          direct_link: intent.directLink,
          fail_when_in_session: intent.failWhenInSession,
          gateway_url: ticket.value.gatewayUrl,
          session_ticket_id: ticket.value.sessionTicketId,
        },
      };
    }),
});
