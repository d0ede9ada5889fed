// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { NoticeRow } from './notice-row.tsx'
import { RowSettingContext, type RowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'

const stage = mountEach()

const told = async (code: string) => {
  const row = { kind: 'notice', key: code, level: 'info', code, message: 'Be brief.' } as RowOf<'notice'>
  const setting = { unfolded: new Map() } as unknown as RowSetting
  await act(async () =>
    stage.root.render(
      <RowSettingContext value={setting}>
        <NoticeRow row={row} />
      </RowSettingContext>,
    ),
  )
  return stage.place.textContent.trim()
}

it('[W2] words that are not for the reader say whose they are, and changes of files are folded', async () => {
  expect(await told('hook')).toBe('Be brief.')
  expect(await told('reminder')).toBe('Sent to the model: Be brief.')
  expect(await told('told-to-model')).toBe('Sent to the model: Be brief.')
  expect(await told('suggestion')).toBe('Suggested next: Be brief.')
  for (const code of ['turn-diff', 'session-diff']) expect(await told(code)).toBe('All changes so far')
})
