import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { IconButton } from './icon-button.tsx';
import { Segmented } from './segmented.tsx';
import { Switch } from './switch.tsx';
import { TextInput } from './text-input.tsx';
import { Tooltip } from './tooltip.tsx';

afterEach(cleanup);

describe('button', () => {
  it.each([{ busy: true }, { 'aria-disabled': true }])('takes no clicks but keeps the focus with %j', async (props) => {
    const onClick = vi.fn();
    render(
      <Button onClick={onClick} {...props}>
        Write
      </Button>,
    );
    await userEvent.click(screen.getByRole('button'));
    expect(onClick).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(screen.getByRole('button'));
  });

  it('keeps the focus when its own press disables it, and takes no second press', async () => {
    const onClick = vi.fn();
    function Once() {
      const [done, setDone] = useState(false);
      return (
        <>
          <Button
            disabled={done}
            onClick={() => {
              onClick();
              setDone(true);
            }}
          >
            Read
          </Button>
          <Button onFocus={() => setDone(false)}>Other</Button>
        </>
      );
    }
    render(<Once />);
    const read = screen.getByRole<HTMLButtonElement>('button', { name: 'Read' });
    await userEvent.click(read);
    await userEvent.keyboard('{Enter} ');
    expect(onClick).toHaveBeenCalledTimes(1);
    expect(document.activeElement).toBe(read);
    expect([read.disabled, read.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    await userEvent.tab();
    expect([read.disabled, read.getAttribute('aria-disabled')]).toEqual([false, null]);
  });

  it('is left out of the tab order once the focus has left it disabled', async () => {
    const { rerender } = render(<Button>Read</Button>);
    const read = screen.getByRole<HTMLButtonElement>('button');
    await userEvent.tab();
    rerender(<Button disabled>Read</Button>);
    expect(read.disabled).toBe(false);
    await userEvent.tab();
    expect(read.disabled).toBe(true);
  });

  it('does not send its form while it is busy', async () => {
    const onSubmit = vi.fn((event: { preventDefault(): void }) => event.preventDefault());
    render(
      <form onSubmit={onSubmit}>
        <Button type="submit" busy>
          Sending…
        </Button>
      </form>,
    );
    await userEvent.click(screen.getByRole('button'));
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('is named by its label when it is an icon only', () => {
    render(<IconButton label="Clear" shortcut="Shift+C" icon={<svg aria-hidden="true" />} />);
    const button = screen.getByRole('button', { name: 'Clear' });
    expect(button.getAttribute('aria-keyshortcuts')).toBe('Shift+C');
  });
});

function Parity() {
  const [value, setValue] = useState<'none' | 'even' | 'odd'>('none');
  const options = [
    { value: 'none', label: 'None' },
    { value: 'even', label: 'Even' },
    { value: 'odd', label: 'Odd' },
  ] as const;
  return <Segmented label="Parity" options={options} value={value} onChange={setValue} />;
}

describe('segmented', () => {
  it('is one stop for Tab, and arrow keys choose in it', async () => {
    render(<Parity />);
    await userEvent.tab();
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'None' }));
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Even' }).checked).toBe(true);
    await userEvent.tab();
    expect(document.activeElement).toBe(document.body);
  });
});

describe('switch', () => {
  it('reports what it is switched to', async () => {
    const onChange = vi.fn();
    render(<Switch label="DTR" checked={false} onChange={onChange} />);
    await userEvent.click(screen.getByRole('switch', { name: 'DTR' }));
    expect(onChange).toHaveBeenCalledWith(true);
  });
});

describe('field', () => {
  it('ties label, hint and error to its control', () => {
    render(
      <Field label="Version" hint="Such as 1.4.0" error="Please enter a version number">
        {(ids) => <TextInput {...ids} />}
      </Field>,
    );
    const input = screen.getByRole('textbox', { name: 'Version' });
    const described = (input.getAttribute('aria-describedby') ?? '').split(' ');
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'Such as 1.4.0',
      'Please enter a version number',
    ]);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByRole('alert').textContent).toBe('Please enter a version number');
  });
});

describe('tooltip', () => {
  it.each([
    [true, 1],
    [false, 0],
  ])('for a control with aria-disabled %j is shown %i times by a press', (disabled, times) => {
    const showPopover = vi.fn();
    Object.assign(HTMLElement.prototype, { showPopover, hidePopover: vi.fn() });
    render(
      <Tooltip text="Port 2 is not connected">
        {(anchor) => (
          <Button {...anchor} aria-disabled={disabled}>
            Send
          </Button>
        )}
      </Tooltip>,
    );
    // Clicks without moving the focus, which alone would show the tooltip.
    fireEvent.click(screen.getByRole('button'));
    expect(showPopover).toHaveBeenCalledTimes(times);
  });
});
