// @vitest-environment jsdom
import { act } from 'react'
import { describe, expect, it } from 'vitest'
import type { Json } from 'dragoman'
import { JsonTree } from './json-tree.tsx'
import { mountEach } from './mount-each.fixture.ts'

const stage = mountEach()

const show = (value: Json, open?: number) =>
  act(async () => stage.root.render(<JsonTree value={value} {...(open !== undefined && { open })} />))
/** Opens everything, and returns the text shown then. */
const opened = async () => {
  for (const each of stage.place.querySelectorAll('details')) each.open = true
  await act(() => new Promise(resolve => setTimeout(resolve)))
  return stage.place.textContent
}

describe('a JSON tree', () => {
  it('[W2] shows the first level, and deeper levels when they are opened', async () => {
    await show({ name: 'Ann', deep: { inner: { x: 'hidden' } }, none: null, list: [] })
    expect(stage.place.textContent).toContain('name: “Ann”')
    expect(stage.place.textContent).toContain('deep: { 1 field }')
    expect(stage.place.textContent).not.toContain('hidden')
    await expect.poll(opened).toContain('x: “hidden”')
  })

  it('[W2] is limited in width and length, and everything can be reached', async () => {
    await show(Array.from({ length: 1000 }, (_, at) => at))
    expect(stage.place.querySelectorAll('li').length).toBe(51)
    await act(async () => stage.place.querySelector('button')?.click())
    expect(stage.place.querySelectorAll('li').length).toBe(201)
    await show({ text: `${'x'.repeat(2000)}END` })
    expect(stage.place.textContent).not.toContain('END')
    await act(async () => stage.place.querySelector('button')?.click())
    expect(stage.place.textContent).toContain('END')
  })

  it('[W2] accepts any depth: closed levels are not rendered', async () => {
    let deep: Json = 'bottom'
    for (let level = 0; level < 20_000; level += 1) deep = [deep]
    await show(deep)
    expect(stage.place.textContent).toContain('[ 1 item ]')
  })

  it('[W2] makes invisible characters visible', async () => {
    await show({ 'a\u202Eb': 'c\u200Bd' })
    expect(stage.place.textContent).not.toMatch(/[\u202E\u200B]/)
    expect(stage.place.textContent).toContain('RLO')
  })
})
