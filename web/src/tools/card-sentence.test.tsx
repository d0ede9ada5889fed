// @vitest-environment jsdom
import { act } from 'react'
import { expect, it } from 'vitest'
import { mountEach } from '../ui/mount-each.fixture.ts'
import { CardSentence } from './card-sentence.tsx'

const stage = mountEach()

const show = (text: string, folder: string | null) =>
  act(async () => stage.root.render(<CardSentence text={text} folder={folder} />))

it('[W3] an invisible character is made visible in the line of a card and in its tooltip', async () => {
  await show('Read /a/\u202Egnp.js', '/a/')
  expect(stage.place.textContent).toBe('Read /a/RLOgnp.js')
  expect(stage.place.querySelector('[title]')?.getAttribute('title')).toBe('Read /a/⟨RLO⟩gnp.js')
})

it('[W3] only folders longer than their short form are shortened', async () => {
  const folder = () => stage.place.querySelector('[class*=folder]')?.className
  await show('Read /f489', '/')
  expect(folder()).not.toContain('long')
  await show('Read src/parts/a.ts', 'src/parts/')
  expect(folder()).toContain('long')
})
