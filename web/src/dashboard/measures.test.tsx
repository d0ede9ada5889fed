// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import type { UsageRow } from 'dragoman/client/usage'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { nameOf } from './measures.ts'
import { Totals } from './totals.tsx'
import { usageWith } from './usage.fixture.ts'

const stage = mountEach()

it('[W5] an item without a name has a placeholder', () => {
  expect(nameOf({ tool: '' } as unknown as UsageRow, 'tool')).toBe('Unknown')
  expect(nameOf({ tool: 'Read' } as unknown as UsageRow, 'tool')).toBe('Read')
})

it('[W5] one session is written in the singular', async () => {
  const usage = usageWith([], { sessions: 1, interactions: 1 }, { sessions: 1 })
  await act(async () => stage.root.render(<Totals usage={usage} />))
  expect(stage.place.textContent).toContain('1 session')
  expect(stage.place.textContent).not.toContain('sessions')
})
