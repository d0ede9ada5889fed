// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { CardSentence } from './card-sentence.tsx'

const stage = mountEach()

const show = (text: string, folder: string | null) =>
  act(async () => stage.root.render(<CardSentence text={text} folder={folder} />))

it('[W3] a sign that cannot be seen is shown in the line of a card, and in what is told on hover', async () => {
  await show('Read /a/\u202Egnp.js', '/a/')
  expect(stage.place.textContent).toBe('Read /a/RLOgnp.js')
  expect(stage.place.querySelector('[title]')?.getAttribute('title')).toBe('Read /a/⟨RLO⟩gnp.js')
})

it('[W3] only folders that are longer than what stands for them are cut', async () => {
  const folder = () => stage.place.querySelector('[class*=folder]')?.className
  await show('Read /f489', '/')
  expect(folder()).not.toContain('long')
  await show('Read src/parts/a.ts', 'src/parts/')
  expect(folder()).toContain('long')
})
