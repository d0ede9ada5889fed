import { expect, it } from 'vitest'
import { agents } from './index.ts'

/** Whether each agent accepts the reason of a denial. */
const readsReasons = {
  scripted: true,
  'claude-code': true,
  codex: false,
  opencode: true,
  'gemini-cli': false,
  acp: false,
  model: true,
}

it('[T6] each agent states whether it accepts the reason of a denial', () => {
  const stated = agents.map(({ name, capabilities }) => [name, capabilities.denialReasons])
  expect(Object.fromEntries(stated)).toEqual(readsReasons)
})
