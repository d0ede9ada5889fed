import { expect, it } from 'vitest'
import { panelText, readPanel } from './panel-choice.ts'

it('[W7] the panel stays as the user left it', () => {
  for (const shown of ['outline', 'work-log', 'context', 'inspector'] as const)
    for (const isOpen of [true, false])
      expect(readPanel(panelText({ isOpen, shown, target: { seq: 9 } }))).toMatchObject({ isOpen, shown })
})

it('[W7] an invalid stored choice is ignored', () => {
  expect(readPanel(null)).toMatchObject({ isOpen: false, shown: 'work-log' })
  expect(readPanel('{}')).toMatchObject({ isOpen: false, shown: 'work-log' })
})
