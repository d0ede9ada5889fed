import { expect, it } from 'vitest'
import { dismissToast, stayMs, toast, toastError, toasts } from './toast.ts'

it('[W7] at most three toasts are shown, newest last', () => {
  for (const text of ['one', 'two', 'three', 'four']) toast(text)
  expect(toasts().map(({ text }) => text)).toEqual(['two', 'three', 'four'])
  for (const { id } of toasts()) dismissToast(id)
  expect(toasts()).toEqual([])
})

it('[W7] toasts with “Undo” and errors stay longer', () => {
  toast('done')
  toast('deleted', { action: { label: 'Undo', run: () => {} } })
  toastError(new Error('The server said no.'))
  const [plain, undone, bad] = toasts().map(stayMs)
  expect(undone).toBeGreaterThan(plain ?? 0)
  expect(bad).toBeGreaterThan(plain ?? 0)
  expect(toasts().at(-1)).toMatchObject({ tone: 'bad', text: 'The server said no.' })
})
