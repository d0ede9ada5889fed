// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { HandoverRow } from './mark-rows.tsx'
import type { RowOf } from './row.ts'

const told = async (before: string | null, more: object = {}) => {
  const row = { kind: 'handover', agent: 'codex', before, how: 'resumed', ...more } as RowOf<'handover'>
  const { place } = await render(<HandoverRow row={row} />)
  return place.textContent
}

it('[W2] who takes a conversation over is told in words for people', async () => {
  expect(await told(null)).toMatch(/^codex takes the conversation up anewIt goes on/)
  expect(await told('claude-code')).toMatch(/^Handed over to codex by claude-code/)
  expect(await told(null, { lost: 'old' })).toMatch(/^codex no longer had this session and started a new one/)
  expect(await told('legacy')).toMatch(/^codex takes over an earlier conversation/)
})
