import type { ArithmeticExpression } from 'unbash';
import { type Context, report, unknown } from './context.js';

const NUMBER = /^[0-9]+$/;

/** Arithmetic over number literals alone: the value of a name is evaluated again, and a subscript in it may run a command. */
export function judgeArithmetic(expression: ArithmeticExpression | undefined, text: string, context: Context): void {
  if (expression === undefined || !literal(expression, context)) {
    report(context, text, unknown('arithmetic on something else than numbers is evaluated'));
  }
}

function literal(expression: ArithmeticExpression, context: Context): boolean {
  switch (expression.type) {
    case 'ArithmeticWord':
      return NUMBER.test(expression.value);
    case 'ArithmeticBinary': {
      const left = literal(expression.left, context);
      const right = literal(expression.right, context);
      return left && right && !expression.operator.endsWith('=');
    }
    case 'ArithmeticUnary':
      return literal(expression.operand, context) && (expression.operator === '-' || expression.operator === '+');
    case 'ArithmeticTernary': {
      const branches = [expression.test, expression.consequent, expression.alternate];
      return branches.map((branch) => literal(branch, context)).every(Boolean);
    }
    case 'ArithmeticGroup':
      return literal(expression.expression, context);
    default:
      if (expression.script !== undefined) context.engine.nested(expression.script, context);
      return false;
  }
}
