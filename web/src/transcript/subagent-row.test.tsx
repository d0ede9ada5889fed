// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { RowSettingContext, type RowSetting } from './row-setting.ts'
import type { RowOf } from './row.ts'
import { SubagentRow } from './subagent-row.tsx'

const stage = mountEach()

async function headOf(description: string, open: boolean) {
  const report = {
    agent: 'explorer',
    description,
    status: 'completed',
    toolCalls: 0,
    tokens: null,
    cost: null,
  }
  const row = { kind: 'subagent', starts: 'c', report, part: null, open, state: 'ready', message: null }
  const setting = { choose() {}, onInspect: null } as unknown as RowSetting
  await act(async () =>
    stage.root.render(
      <RowSettingContext value={setting}>
        <SubagentRow row={row as unknown as RowOf<'subagent'>} />
      </RowSettingContext>,
    ),
  )
  const words = stage.place.querySelector<HTMLElement>('button > span')
  return { text: words?.textContent ?? '', title: words?.title, isLine: words?.className.includes('line') }
}

it('[R2] a very long description of a subagent is cut, and complete in the tooltip', async () => {
  const description = 'a b '.repeat(750)
  for (const open of [false, true]) {
    const { text, title, isLine } = await headOf(description, open)
    expect(text).toMatch(/^explorer a b .* …$/)
    expect(text.length).toBeLessThan(420)
    expect(title).toBe(`explorer ${description}`)
    expect(isLine).toBe(!open)
  }
  expect((await headOf('Look for it', false)).text).toBe('explorer Look for it')
})
