/** So many frames are given to the page to show the field. */
const patience = 60

/** Puts the focus into the field for messages, as soon as it is there. */
export function focusMessage(tries = patience): void {
  requestAnimationFrame(() => {
    const field = document.querySelector<HTMLElement>('textarea[aria-label="Message"]')
    field?.focus()
    if (document.activeElement !== field || field === null) if (tries > 0) focusMessage(tries - 1)
  })
}
