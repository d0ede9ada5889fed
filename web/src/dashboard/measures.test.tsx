// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import type { Usage, UsageRow } from 'dragoman/client/usage'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { nameOf } from './measures.ts'
import { Totals } from './totals.tsx'

const stage = mountEach()

it('[W5] what has no name says so', () => {
  expect(nameOf({ tool: '' } as unknown as UsageRow, 'tool')).toBe('Unknown')
  expect(nameOf({ tool: 'Read' } as unknown as UsageRow, 'tool')).toBe('Read')
})

it('[W5] one session is no sessions', async () => {
  const total = { tokens: null, failures: {}, sessions: 1, cost: null, time: 0, interactions: 1, calls: 0 }
  const usage = { total, unknown: { sessions: 1 } } as unknown as Usage
  await act(async () => stage.root.render(<Totals usage={usage} />))
  expect(stage.place.textContent).toContain('1 session')
  expect(stage.place.textContent).not.toContain('sessions')
})
