const fieldNow = () => document.querySelector<HTMLElement>('textarea[aria-label="Message"]')

/** Focuses the message box; the page where there is none, or where an on-screen keyboard would open. */
export function focusWriting(): void {
  const field = window.matchMedia('(pointer: coarse)').matches ? null : fieldNow()
  field?.focus()
  if (field === null || document.activeElement !== field) document.getElementById('main')?.focus()
}

/** So many frames are given to the page to show the field. */
const patience = 60

/** Puts the focus into the field for messages, as soon as it is there. */
export function focusMessage(tries = patience): void {
  requestAnimationFrame(() => {
    const field = fieldNow()
    field?.focus()
    if (document.activeElement !== field || field === null) if (tries > 0) focusMessage(tries - 1)
  })
}
