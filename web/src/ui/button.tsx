import type { ButtonHTMLAttributes, ReactElement, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

/** A button's style: primary, plain, quiet, or for actions that can't be undone. */
export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

/** The props of a button. */
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  readonly small?: boolean
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button with a label. */
export const Button = ({
  kind = 'plain',
  small = false,
  className,
  type = 'button',
  ...rest
}: ButtonProps): ReactElement => (
  <button
    type={type}
    className={classNames(styles['button'], styles[kind], small && styles['small'], className)}
    {...rest}
  />
)

/** An icon button; its name is for screen readers and the tooltip. */
export const IconButton = ({
  label,
  className,
  children,
  type = 'button',
  ...rest
}: Omit<ButtonProps, 'kind' | 'small'> & { readonly label: string }): ReactElement => (
  <button
    type={type}
    className={classNames(styles['icon'], className)}
    aria-label={label}
    title={label}
    {...rest}
  >
    {children}
  </button>
)
