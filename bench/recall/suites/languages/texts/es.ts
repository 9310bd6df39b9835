import type { Language } from "../language.ts";

export const es: Language = {
  code: "es",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Lucía;Álvaro;Carmen;Javier;Pilar;Rubén;Beatriz;Sergio;Rocío;Ignacio;Elena;Gonzalo",
    when: "el jueves;el fin de semana;mañana;esta noche;la semana que viene;al mediodía;después de comer;por la noche;esta tarde;en abril;en noviembre;el día uno del mes;a las siete;a las nueve y media",
    deeds: [
      "escribe;lee;revisa;envía;firma|la carta;el contrato;la factura;el informe;la hoja de pedido;la lista de invitados;la nota de prensa",
      "vende;repara;limpia;compra;fotografía|la bicicleta;el sofá viejo;la lámpara;la barca de madera;el reloj de pared;la estantería;la mesa de la cocina",
      "visita;entrevista;llama|al arquitecto;a la alcaldesa;al jardinero;a la periodista;al fotógrafo;al sastre;al apicultor",
      "prueba;mejora;explica|la cesta de la compra;el gráfico;la plantilla de impresión;la página de inicio;la galería de imágenes;el formulario de contacto",
    ],
  },
  facts: `
    1 Marta es alérgica a los cacahuetes y siempre lleva un autoinyector de adrenalina. => ¿Qué no puede llevar la comida cuando cocinamos para Marta?
    2 El usuario quiere respuestas breves y sin viñetas. => ¿Qué extensión y qué forma debe tener lo que le contestamos?
    3 Jonas toma el café solo, sin azúcar. => ¿Jonas echa leche en las bebidas calientes?
    4 En el editor, el usuario prefiere un tema oscuro con letra grande. => ¿Qué aspecto debe tener el entorno de desarrollo?
    5 A nuestra hija le encantan los dinosaurios más que nada en el mundo. => ¿Qué regalo haría feliz a nuestra niña?
    6 Ines es vegetariana desde hace diez años. => ¿Ines come carne?
    7 Cuando vuela, el usuario siempre reserva un asiento de ventanilla. => ¿Dónde le gusta sentarse al usuario en el avión?
    8 Mi madre solo escucha música clásica, sobre todo a Bach. => ¿Qué entradas de concierto le gustarían a mamá?
    9 Tomas dirige el equipo de pagos desde marzo. => ¿Quién está al frente de los que trabajan en la facturación?
    10 El cumpleaños de Priya es el 14 de octubre. => ¿Qué día hay que felicitar a Priya?
    11 Mi vecino, el señor Keller, es un carpintero jubilado. => ¿En qué trabajaba el hombre de al lado?
    12 A nuestro contable solo se le puede localizar por teléfono los martes por la mañana. => ¿Cuándo puedo llamar a quien nos lleva los impuestos?
    13 Sofia habla portugués y neerlandés con fluidez. => ¿Quién podría traducirnos una carta de Lisboa?
    14 La nueva becaria empieza el 1 de septiembre. => ¿Cuándo se incorpora la aprendiz?
    15 Nuestro casero vive en el extranjero y solo contesta por correo electrónico. => ¿Cómo me pongo en contacto con el dueño del piso?
    16 Mi hermano se mudó a Oslo el verano pasado. => ¿En qué ciudad vive ahora mi hermano?
    17 La aplicación móvil tiene que estar terminada antes de la feria de mayo. => ¿Para cuándo debemos entregar el programa para teléfonos?
    18 El cliente rechazó nuestro primer diseño porque tenía demasiados colores. => ¿Por qué no gustó el boceto inicial a quien nos lo encargó?
    19 El presupuesto para el nuevo almacén es de 80.000 euros. => ¿Cuánto dinero podemos gastar en la nave?
    20 La traducción del manual lleva dos semanas de retraso. => ¿Cuánto se están demorando las guías de usuario en otros idiomas?
    21 El proyecto piloto en el hospital terminó antes de tiempo porque las enfermeras se quejaban de la lentitud de las pantallas. => ¿Por qué se suspendió la prueba en la clínica?
    22 El nombre en clave de la reescritura del buscador es Heron. => ¿Cómo llamamos internamente al nuevo motor de búsqueda?
    23 El primer lunes de cada mes se publica una versión nueva. => ¿Con qué frecuencia salen los lanzamientos?
    24 El widget del tiempo será de código abierto con licencia MIT. => ¿En qué condiciones legales cedemos el componente de la previsión meteorológica?
    25 En el entorno de preproducción, Postgres escucha en el puerto 5433. => ¿Cómo me conecto a la base de datos de pruebas?
    26 Las copias de seguridad se hacen cada noche a las tres y se guardan treinta días. => ¿Durante cuánto tiempo se pueden recuperar datos perdidos?
    27 Las alertas llegan al canal #on-call, no por correo. => ¿Dónde aparecen los avisos de una caída del servicio?
    28 Cada clave de la API puede hacer cien peticiones por minuto. => ¿Cuántas veces puede un cliente llamar a nuestra interfaz antes de que se le limite?
    29 Las imágenes que se suben no pueden superar los 10 megabytes. => ¿Qué tamaño puede tener un archivo de foto?
    30 Los servidores de producción están en Fráncfort. => ¿Dónde está alojado nuestro sistema real?
    31 Las contraseñas van en la bóveda, nunca en archivos de entorno. => ¿Dónde hay que guardar los secretos?
    32 El certificado del sitio web caduca el 30 de noviembre. => ¿Antes de qué fecha debemos renovar el TLS?
    33 Una sesión termina tras quince minutos de inactividad. => ¿Cuándo se desconecta automáticamente a un usuario que no hace nada?
    34 Elegimos Kafka en lugar de RabbitMQ porque los mensajes deben poder reproducirse de nuevo. => ¿Con qué intermediario de mensajería nos quedamos y por qué motivo?
    35 El equipo decidió dejar de dar soporte a Internet Explorer. => ¿Qué navegador ya no nos preocupa?
    36 Los precios suben un cinco por ciento en enero. => ¿Cuánto más pagarán los clientes el año que viene?
    37 No vamos a contratar a nadie antes del verano. => ¿Hay vacantes en este momento?
    38 Todas las fechas se almacenan en UTC. => ¿Qué zona horaria usamos al guardar las marcas de tiempo?
    39 La oficina permanece cerrada entre Navidad y Año Nuevo. => ¿Trabaja alguien la última semana de diciembre?
    40 Todo cambio necesita la aprobación de dos revisores. => ¿Cuántas personas tienen que mirar una pull request antes de fusionarla?
    41 La planificación semanal ha pasado del lunes al miércoles a las diez. => ¿Cuándo nos reunimos para organizar la semana?
    42 En la reunión del consejo, Nadia presentó las cifras de ventas. => ¿Quién habló de los ingresos ante los directivos?
    43 La llamada con el proveedor se canceló por la huelga. => ¿Por qué no hablamos con el suministrador?
    44 La retrospectiva mostró que las pruebas tardan demasiado en ejecutarse. => ¿Qué fue lo que más molestó a los desarrolladores al repasar el sprint?
    45 El script de importación falla si una línea contiene un punto y coma. => ¿Qué carácter impide que se carguen los datos?
    46 Nuestro tren a Viena sale a las 7:42 del andén 9. => ¿A qué hora partimos hacia Austria?
    47 En Kioto nos alojamos en una pequeña posada junto al río. => ¿Dónde dormimos en nuestro viaje a Japón?
    48 Mi pasaporte es válido hasta 2031. => ¿Cuándo tendré que solicitar documentos de viaje nuevos?
    49 Alquilamos una autocaravana para las vacaciones en Escocia. => ¿Qué vehículo condujimos por las Tierras Altas?
    50 La maleta con la rueda rota está en el sótano. => ¿Dónde está el equipaje estropeado?
    51 El abuelo toma una pastilla para la tensión todas las mañanas. => ¿Qué medicamento tiene recetado el yayo?
    52 Tengo cita con el dentista el jueves a las cuatro y media. => ¿Cuándo me van a revisar la boca?
    53 El médico le aconsejó a Karim nadar dos veces por semana por la espalda. => ¿Qué deporte debería hacer Karim contra el dolor?
    54 Desde la operación, la tía Rosa ya no puede subir escaleras. => ¿Por qué necesita Rosa un piso con ascensor?
    55 La llave de repuesto está debajo de la maceta azul. => ¿Cómo entro en casa si me quedo fuera?
    56 La lavadora pierde agua durante el centrifugado. => ¿Qué electrodoméstico gotea?
    57 Al gato solo se le da de comer por la noche. => ¿A qué hora del día recibe alimento nuestra mascota?
    58 El papel usado se recoge un viernes de cada dos. => ¿Cuándo hay que sacar a la calle los periódicos viejos?
    59 La función que analiza fechas falla en los años bisiestos. => ¿Qué error tenemos con el 29 de febrero?
    60 Las pruebas se ejecutan en paralelo, así que no deben compartir una carpeta temporal. => ¿Por qué cada caso de prueba necesita su propio directorio?
  `,
};
