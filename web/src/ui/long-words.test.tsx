// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { LongWords, beginningOf } from './long-words.tsx'
import { mountEach } from './mount-each.fixture.ts'

const stage = mountEach()

it('[W2] an error of 5,000 characters is collapsed, and all of it can be shown and copied', async () => {
  const text = 'word '.repeat(1000).trim()
  await act(async () => stage.root.render(<LongWords text={text} />))
  const words = () => stage.place.textContent
  const button = (name: string) =>
    [...stage.place.querySelectorAll('button')].find(
      each => each.ariaLabel === name || each.textContent === name,
    )
  expect(words().length).toBeLessThan(450)
  expect(button('Copy all')).toBeDefined()
  await act(async () => button('Show all')?.click())
  expect(words()).toContain(text)
  await act(async () => button('Show less')?.click())
  expect(words().length).toBeLessThan(450)
})

it('[W2] many short lines are collapsed too, short text is not, and no character is split', () => {
  expect(beginningOf('a\n'.repeat(20))).toBe(`${'a\n'.repeat(8).trim()} …`)
  expect(beginningOf('a few words')).toBeNull()
  expect(beginningOf(`${'a'.repeat(399)}😀${'b'.repeat(9)}`)).toBe(`${'a'.repeat(399)} …`)
})
