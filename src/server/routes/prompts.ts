import type { Handlers } from './handler.ts'
import { detailsOf } from './sessions.ts'

/** What a person wants an agent to do, and no longer to do. */
export const prompts: Handlers<'prompt' | 'withdrawPrompt' | 'continueQueue' | 'interrupt' | 'branch'> = {
  async prompt(house, { params, body }) {
    const { id, text = '', parts = [{ type: 'text', text }], parentId: parent } = body
    const { session } = params
    const told = await house.sessions.execute({ type: 'prompt', session, prompt: id, parts, parent })
    const { prompt, interaction, queued, repeated, seq } = told
    return { id: prompt, interaction, queued, repeated, seq }
  },
  async withdrawPrompt({ sessions }, { params }) {
    const { seq } = await sessions.execute({ type: 'withdraw', ...params })
    return { seq }
  },
  async continueQueue(house, { params }) {
    return house.sessions.execute({ type: 'continue', ...params })
  },
  interrupt: async ({ sessions }, { params }) => sessions.execute({ type: 'interrupt', ...params }),
  async branch(house, { params, body }) {
    const { messageId: message, parts } = body
    const { session } = await house.sessions.execute({ type: 'branch', ...params, message, parts })
    return detailsOf(house, session)
  },
}
