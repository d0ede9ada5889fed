import type { Handlers } from './handler.ts'
import { detailsOf } from './sessions.ts'

/** Calls about prompts, the queue and interrupts. */
export const prompts: Handlers<'prompt' | 'withdrawPrompt' | 'continueQueue' | 'interrupt' | 'branch'> = {
  async prompt(server, { params, body }) {
    const { id, text = '', parts = [{ type: 'text', text }], parentId: parent } = body
    const { session } = params
    const result = await server.sessions.execute({ type: 'prompt', session, prompt: id, parts, parent })
    const { prompt, interaction, queued, repeated, seq } = result
    return { id: prompt, interaction, queued, repeated, seq }
  },
  async withdrawPrompt({ sessions }, { params }) {
    const { seq } = await sessions.execute({ type: 'withdraw', ...params })
    return { seq }
  },
  async continueQueue(server, { params }) {
    return server.sessions.execute({ type: 'continue', ...params })
  },
  interrupt: async ({ sessions }, { params }) => sessions.execute({ type: 'interrupt', ...params }),
  async branch(server, { params, body }) {
    const { messageId: message, parts } = body
    const { session } = await server.sessions.execute({ type: 'branch', ...params, message, parts })
    return detailsOf(server, session)
  },
}
