// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { render } from '../composer/render.fixture.tsx'
import { listed } from './listed.fixture.ts'
import { faceOf } from './session-face.ts'
import { SessionRow } from './session-row.tsx'

async function wordsOf(given: Parameters<typeof listed>[0]): Promise<string> {
  const { place } = await render(<SessionRow face={faceOf(listed(given))} agent="Codex" isHere={false} />)
  return place.querySelector('a')?.textContent ?? ''
}

it('[W1] an archived session that waits for a person says both', async () => {
  const waiting = { status: 'waiting', pending: 1 } as const
  expect(await wordsOf({ ...waiting, archived: true })).toBe(
    'A titleWaiting for you · Archived · Codex · engine',
  )
  expect(await wordsOf(waiting)).toBe('A titleWaiting for you · Codex · engine')
})
