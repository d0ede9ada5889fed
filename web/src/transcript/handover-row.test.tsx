// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { HandoverRow } from './mark-rows.tsx'
import type { RowOf } from './row.ts'

const textFor = async (before: string | null, more: object = {}) => {
  const row = { kind: 'handover', agent: 'codex', before, how: 'resumed', ...more } as RowOf<'handover'>
  const { place } = await render(<HandoverRow row={row} />)
  return place.textContent
}

it('[W2] a handover is described in plain words', async () => {
  expect(await textFor(null)).toMatch(/^codex restarted from this conversationIt continues/)
  expect(await textFor('claude-code')).toMatch(/^Moved from claude-code to codex/)
  expect(await textFor(null, { lost: 'old' })).toMatch(
    /^codex no longer had this session and started a new one/,
  )
  expect(await textFor('legacy')).toMatch(/^codex continues an earlier conversation/)
})
