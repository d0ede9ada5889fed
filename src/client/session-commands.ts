import type { Sent } from '../protocol/api/api.ts'
import type { Caller } from './call.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Session } from './session.ts'

type Commands = Pick<
  Session,
  | 'prompt'
  | 'interrupt'
  | 'answer'
  | 'revokeRule'
  | 'withdraw'
  | 'continue'
  | 'rename'
  | 'archive'
  | 'assign'
  | 'delete'
  | 'undelete'
  | 'branch'
>

/** What a person may ask of a session. */
export function sessionCommands(
  session: string,
  { caller, outbox }: { readonly caller: Caller; readonly outbox: Outbox },
): Commands {
  const { call } = caller
  const params = { session }
  const change = (body: Sent<'changeSession'>['body']) => call('changeSession', { params, body })
  return {
    prompt: (text, { parent } = {}) =>
      outbox.send(session, {
        parts: typeof text === 'string' ? [{ type: 'text', text }] : text,
        parent,
      }),
    interrupt: () => call('interrupt', { params }),
    answer: (approval, body) => call('answerApproval', { params: { session, approval }, body }),
    revokeRule: rule => call('revokeRule', { params: { session, rule } }),
    async withdraw(prompt) {
      if (!outbox.discard(prompt)) await call('withdrawPrompt', { params: { session, prompt } })
    },
    continue: () => call('continueQueue', { params }),
    rename: title => change({ title }),
    archive: (archived = true) => change({ archived }),
    assign: (agent, options) => change({ agent, options }),
    delete: () => call('deleteSession', { params }),
    undelete: () => change({ deleted: false }),
    branch: (messageId, parts) =>
      call('branch', { params, body: { messageId, parts } as Sent<'branch'>['body'] }),
  }
}
