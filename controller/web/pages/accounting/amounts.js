// Amounts, exact: whole units of 10⁻⁸ dollar, as BigInt. Laws: never a floating-point number; what
// is read at a glance is cut to whole cents, never rounded up, and the finer digits are always
// there behind them, for whoever asks to see them and on paper.
import { element } from "./element.js";

const DECIMALS = 8;
const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,8}))?$/;

// "12.34" -> 1234000000n; null for what is no amount.
export function units(text) {
  const parts = AMOUNT.exec(text ?? "");
  if (parts === null) return null;
  const whole = BigInt(parts[2] + (parts[3] ?? "").padEnd(DECIMALS, "0"));
  return parts[1] === "-" ? -whole : whole;
}

// What is not told counts as nothing.
export const units_or_zero = (text) => units(text) ?? 0n;
export const is_zero = (text) => units_or_zero(text) === 0n;
export const sum_of = (texts) => texts.reduce((sum, text) => sum + units_or_zero(text), 0n);

// ["−", "$50,000.90", "140000"]
function parts_of(whole) {
  const digits = String(whole < 0n ? -whole : whole).padStart(DECIMALS + 1, "0");
  const left = digits.slice(0, -DECIMALS).replace(/\B(?=(\d{3})+$)/g, ",");
  const right = digits.slice(-DECIMALS);
  return [whole < 0n ? "−" : "", `$${left}.${right.slice(0, 2)}`, right.slice(2)];
}

// Cents, and the finer digits quieter beside them; not where there can be none.
export function exact(whole, { has_fine = true } = {}) {
  const [sign, dollars, fine] = parts_of(whole);
  return element(
    "span",
    { class: "amount" },
    sign + dollars,
    has_fine ? element("span", { class: "fine" }, fine) : null,
  );
}

// "handle" is told in cents, a meter to eight decimals.
export const has_fine = (text) => !/^-?\d+\.\d{2}$/.test(text ?? "");

// In a sentence: no more digits than there are.
export function exact_text(whole) {
  const [sign, dollars, fine] = parts_of(whole);
  return sign + dollars + fine.replace(/0+$/, "");
}

export const number_text = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

export const cut_text = (whole) => parts_of(whole).slice(0, 2).join("");

// A cell's amount: a dash, quietly, where there is nothing.
export function amount_or_dash(text) {
  const whole = units(text);
  if (whole === null) return element("span", { class: "quiet" }, text ? String(text) : "–");
  return whole === 0n ? zero() : exact(whole, { has_fine: has_fine(text) });
}

export const zero = () =>
  element(
    "span",
    { class: "nothing" },
    element("span", { "aria-hidden": "true" }, "–"),
    element("span", { class: "unseen" }, "$0.00"),
  );

// 1234n of 10000n -> "12.34%", cut; nothing of nothing is no share.
export function percent(part, whole) {
  if (whole === 0n) return "–";
  const hundredths = (part * 10_000n) / whole;
  const digits = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, "0");
  return `${hundredths < 0n ? "−" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}%`;
}
