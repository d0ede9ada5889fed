import { expect, it } from 'vitest'
import { panelText, readPanel } from './panel-choice.ts'

it('[W7] the panel is as it was left', () => {
  for (const shown of ['work-log', 'context', 'inspector'] as const)
    for (const isOpen of [true, false])
      expect(readPanel(panelText({ isOpen, shown, target: { seq: 9 } }))).toMatchObject({ isOpen, shown })
})

it('[W7] what is odd is as if nothing was kept', () => {
  expect(readPanel(null)).toMatchObject({ isOpen: false, shown: 'work-log' })
  expect(readPanel('{}')).toMatchObject({ isOpen: false, shown: 'work-log' })
})
