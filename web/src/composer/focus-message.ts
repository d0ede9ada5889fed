const fieldNow = () => document.querySelector<HTMLElement>('textarea[aria-label="Message"]')

/** Focuses the message field; the page where there is no field, or where an on-screen keyboard would open. */
export function focusWriting(): void {
  const field = window.matchMedia('(pointer: coarse)').matches ? null : fieldNow()
  field?.focus()
  if (field === null || document.activeElement !== field) document.getElementById('main')?.focus()
}

/** How many frames to wait for the field to appear. */
const patience = 60

/** Focuses the message field as soon as it exists. */
export function focusMessage(tries = patience): void {
  requestAnimationFrame(() => {
    const field = fieldNow()
    field?.focus()
    if (document.activeElement !== field || field === null) if (tries > 0) focusMessage(tries - 1)
  })
}
