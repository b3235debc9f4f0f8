// Objects whose unknown names are asked of a function: the tools of a program and their namespaces.
"use strict";
(function () {
  const { getOwnPropertyDescriptor: own, ownKeys, defineProperty } = Reflect;
  const { hasOwn } = Object;
  const [Asking, Refusal] = [Proxy, TypeError];
  const refuse = () => { throw new Refusal("this object is frozen: it cannot be changed"); };
  // A function of the surface that fills an object is called once, before anything but a single name is read.
  return (target, made, get, fill) => {
    const filled = () => {
      if (fill !== undefined) {
        const act = fill;
        // Taken first: what fills the target may look at the object.
        fill = undefined;
        try { act(); } catch (error) { fill = act; throw error; }
      }
      return target;
    };
    const asking = new Asking(target, {
      __proto__: null,
      get(_, name) {
        const found = own(target, name) ?? own(made, name);
        if (found !== undefined) return found.value;
        return typeof name === "symbol" ? undefined : get(name);
      },
      has(_, name) { return hasOwn(filled(), name); },
      ownKeys() { return ownKeys(filled()); },
      getOwnPropertyDescriptor(_, name) { return own(filled(), name); },
      defineProperty(_, name, to) {
        const changes = hasOwn(to, "value") || hasOwn(to, "get") || hasOwn(to, "set") || hasOwn(to, "enumerable");
        // What only says that a property is frozen changes nothing: freezing a frozen object is no mistake.
        if (!changes && to.configurable !== true && to.writable !== true && hasOwn(filled(), name)) return true;
        return refuse();
      },
      deleteProperty(_, name) { return hasOwn(filled(), name) ? refuse() : true; },
      set(_, name, value, receiver) {
        // What inherits from a frozen object may have its own properties of other names.
        if (receiver !== asking && !hasOwn(filled(), name)) {
          return defineProperty(receiver, name, { __proto__: null, value, writable: true, enumerable: true, configurable: true });
        }
        return refuse();
      },
      isExtensible() { filled(); return false; },
      preventExtensions() { filled(); return true; },
      setPrototypeOf(_, prototype) { filled(); return prototype === null; },
    });
    return { __proto__: null, asking, filled };
  };
})()
