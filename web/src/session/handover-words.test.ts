import { expect, it } from 'vitest'
import { handoverWords } from './handover-words.ts'

it('[W1] says how another agent got to know the conversation', () => {
  const transcript = { messages: 1, characters: 10, omitted: 0 }
  expect(handoverWords({ how: 'transcript', transcript }, 'Codex')).toBe(
    'Codex was told the conversation so far: 1 message.',
  )
  expect(
    handoverWords({ how: 'transcript', transcript: { ...transcript, messages: 40, omitted: 2 } }, 'Codex'),
  ).toBe('Codex was told the conversation so far: 40 messages. The oldest 2 messages had no room.')
  expect(handoverWords({ how: 'forked', transcript: null }, 'Codex')).toContain('copy of its own session')
})

it('[W1] an agent that simply goes on is not worth a word', () => {
  expect(handoverWords({ how: 'resumed', transcript: null }, 'Codex')).toBeNull()
  expect(handoverWords({ how: 'compiled', transcript: null }, 'Codex')).toBeNull()
})
