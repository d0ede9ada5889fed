/** A ref for what has the focus when its dialog opens; React's own `autoFocus` comes too early for dialogs. */
export const firstFocus = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '')
