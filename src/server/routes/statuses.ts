import type { CallName } from '../../protocol/api/paths.ts'

/** What has begun and goes on is accepted (202), what is there now was created (201), the rest is done (200). */
const statuses: { readonly [Name in CallName]?: number } = {
  createTicket: 201,
  createSession: 201,
  branch: 201,
  manipulate: 201,
  prompt: 202,
  continueQueue: 202,
  interrupt: 202,
}

/** The status of a call that went well. */
export const successOf = (name: CallName): number => statuses[name] ?? 200
