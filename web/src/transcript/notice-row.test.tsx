// @vitest-environment jsdom
import { act } from 'react'
import { createWritable } from 'dragoman/client/readable'
import { expect, it } from 'vitest'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { NoticeRow } from './notice-row.tsx'
import { RowSettingContext, type RowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'

const stage = mountEach()

const textOf = async (code: string) => {
  const row = { kind: 'notice', key: code, level: 'info', code, message: 'Be brief.' } as RowOf<'notice'>
  const setting = { unfolded: new Map(), lit: createWritable(null) } as unknown as RowSetting
  await act(async () =>
    stage.root.render(
      <RowSettingContext value={setting}>
        <NoticeRow row={row} />
      </RowSettingContext>,
    ),
  )
  return stage.place.textContent.trim()
}

it('[W2] text that is not for the user names its author, and file changes are collapsed', async () => {
  expect(await textOf('hook')).toBe('Be brief.')
  expect(await textOf('reminder')).toBe('Sent to the model: Be brief.')
  expect(await textOf('told-to-model')).toBe('Sent to the model: Be brief.')
  expect(await textOf('suggestion')).toBe('Suggested next: Be brief.')
  for (const code of ['turn-diff', 'session-diff']) expect(await textOf(code)).toBe('All changes so far')
})
