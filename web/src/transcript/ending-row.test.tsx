// @vitest-environment jsdom
import { act } from 'react'
import { createWritable } from 'dragoman/client/readable'
import { expect, it } from 'vitest'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { EndingRow } from './ending-row.tsx'
import { RowSettingContext, type RowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'

const stage = mountEach()

const textFor = async (reason: string | null) => {
  const row = { kind: 'ending', outcome: 'interrupted', reason } as RowOf<'ending'>
  const setting = { unfolded: new Map(), lit: createWritable(null) } as unknown as RowSetting
  await act(async () =>
    stage.root.render(
      <RowSettingContext value={setting}>
        <EndingRow row={row} />
      </RowSettingContext>,
    ),
  )
  return stage.place.textContent.trim()
}

it('[W2] a stopped turn is reported once', async () => {
  expect(await textFor('You stopped this.')).toBe('You stopped this.')
  expect(await textFor('Stopped because someone asked for it.')).toBe('You stopped this.')
  expect(await textFor('The server went away.')).toBe('Stopped. The server went away.')
  expect(await textFor(null)).toBe('Stopped.')
})
