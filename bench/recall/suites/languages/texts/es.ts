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
    1 Marta es alérgica a los cacahuetes y siempre lleva un autoinyector de adrenalina. => ¿A qué es alérgica Marta? => ¿Qué no puede llevar la comida cuando cocinamos para Marta?
    2 El usuario quiere respuestas breves y sin viñetas. => ¿Qué tipo de respuestas quiere el usuario? => ¿Qué extensión y qué forma debe tener lo que le contestamos?
    3 Jonas toma el café solo, sin azúcar. => ¿Cómo toma Jonas el café? => ¿Jonas echa leche en las bebidas calientes?
    4 En el editor, el usuario prefiere un tema oscuro con letra grande. => ¿Qué tema prefiere el usuario en el editor? => ¿Qué aspecto debe tener el entorno de desarrollo?
    5 A nuestra hija le encantan los dinosaurios más que nada en el mundo. => ¿Qué es lo que más le encanta a nuestra hija? => ¿Qué regalo haría feliz a nuestra niña?
    6 Ines es vegetariana desde hace diez años. => ¿Desde cuándo es vegetariana Ines? => ¿Ines come carne?
    7 Cuando vuela, el usuario siempre reserva un asiento de ventanilla. => ¿Qué asiento reserva el usuario cuando vuela? => ¿Dónde le gusta sentarse al usuario en el avión?
    8 Mi madre solo escucha música clásica, sobre todo a Bach. => ¿Qué música escucha mi madre? => ¿Qué entradas de concierto le gustarían a mamá?
    9 Tomas dirige el equipo de pagos desde marzo. => ¿Quién dirige el equipo de pagos? => ¿Quién está al frente de los que trabajan en la facturación?
    10 El cumpleaños de Priya es el 14 de octubre. => ¿Cuándo es el cumpleaños de Priya? => ¿Qué día hay que felicitar a Priya?
    11 Mi vecino, el señor Keller, es un carpintero jubilado. => ¿Cuál era el oficio de mi vecino, el señor Keller? => ¿En qué trabajaba el hombre de al lado?
    12 A nuestro contable solo se le puede localizar por teléfono los martes por la mañana. => ¿Cuándo se puede localizar por teléfono a nuestro contable? => ¿Cuándo puedo llamar a quien nos lleva los impuestos?
    13 Sofia habla portugués y neerlandés con fluidez. => ¿Qué idiomas habla Sofia? => ¿Quién podría traducirnos una carta de Lisboa?
    14 La nueva becaria empieza el 1 de septiembre. => ¿Cuándo empieza la nueva becaria? => ¿Cuándo se incorpora la aprendiz?
    15 Nuestro casero vive en el extranjero y solo contesta por correo electrónico. => ¿Dónde vive nuestro casero? => ¿Cómo me pongo en contacto con el dueño del piso?
    16 Mi hermano se mudó a Oslo el verano pasado. => ¿Adónde se mudó mi hermano? => ¿En qué ciudad vive ahora mi hermano?
    17 La aplicación móvil tiene que estar terminada antes de la feria de mayo. => ¿Cuándo tiene que estar terminada la aplicación móvil? => ¿Para cuándo debemos entregar el programa para teléfonos?
    18 El cliente rechazó nuestro primer diseño porque tenía demasiados colores. => ¿Por qué rechazó el cliente nuestro primer diseño? => ¿Por qué no gustó el boceto inicial a quien nos lo encargó?
    19 El presupuesto para el nuevo almacén es de 80.000 euros. => ¿De cuánto es el presupuesto para el nuevo almacén? => ¿Cuánto dinero podemos gastar en la nave?
    20 La traducción del manual lleva dos semanas de retraso. => ¿Cuánto retraso lleva la traducción del manual? => ¿Cuánto se están demorando las guías de usuario en otros idiomas?
    21 El proyecto piloto en el hospital terminó antes de tiempo porque las enfermeras se quejaban de la lentitud de las pantallas. => ¿Por qué terminó antes de tiempo el proyecto piloto en el hospital? => ¿Por qué se suspendió la prueba en la clínica?
    22 El nombre en clave de la reescritura del buscador es Heron. => ¿Cuál es el nombre en clave de la reescritura del buscador? => ¿Cómo llamamos internamente al nuevo motor de búsqueda?
    23 El primer lunes de cada mes se publica una versión nueva. => ¿Cuándo se publica una versión nueva? => ¿Con qué frecuencia salen los lanzamientos?
    24 El widget del tiempo será de código abierto con licencia MIT. => ¿Con qué licencia se publicará el widget del tiempo? => ¿En qué condiciones legales cedemos el componente de la previsión meteorológica?
    25 En el entorno de preproducción, Postgres escucha en el puerto 5433. => ¿Qué puerto usa Postgres en el entorno de preproducción? => ¿Cómo me conecto a la base de datos de pruebas?
    26 Las copias de seguridad se hacen cada noche a las tres y se guardan treinta días. => ¿Cuánto tiempo se guardan las copias de seguridad? => ¿Durante cuánto tiempo se pueden recuperar datos perdidos?
    27 Las alertas llegan al canal #on-call, no por correo. => ¿Adónde llegan las alertas? => ¿Dónde aparecen los avisos de una caída del servicio?
    28 Cada clave de la API puede hacer cien peticiones por minuto. => ¿Cuántas peticiones por minuto puede hacer una clave de la API? => ¿Cuántas veces puede un cliente llamar a nuestra interfaz antes de que se le limite?
    29 Las imágenes que se suben no pueden superar los 10 megabytes. => ¿Qué tamaño máximo pueden tener las imágenes que se suben? => ¿Qué tamaño puede tener un archivo de foto?
    30 Los servidores de producción están en Fráncfort. => ¿Dónde están los servidores de producción? => ¿Dónde está alojado nuestro sistema real?
    31 Las contraseñas van en la bóveda, nunca en archivos de entorno. => ¿Dónde van las contraseñas? => ¿Dónde hay que guardar los secretos?
    32 El certificado del sitio web caduca el 30 de noviembre. => ¿Cuándo caduca el certificado del sitio web? => ¿Antes de qué fecha debemos renovar el TLS?
    33 Una sesión termina tras quince minutos de inactividad. => ¿Tras cuántos minutos de inactividad termina una sesión? => ¿Cuándo se desconecta automáticamente a un usuario que no hace nada?
    34 Elegimos Kafka en lugar de RabbitMQ porque los mensajes deben poder reproducirse de nuevo. => ¿Por qué elegimos Kafka? => ¿Con qué intermediario de mensajería nos quedamos y por qué motivo?
    35 El equipo decidió dejar de dar soporte a Internet Explorer. => ¿A qué navegador ha dejado el equipo de dar soporte? => ¿Qué navegador ya no nos preocupa?
    36 Los precios suben un cinco por ciento en enero. => ¿Cuánto suben los precios en enero? => ¿Cuánto más pagarán los clientes el año que viene?
    37 No vamos a contratar a nadie antes del verano. => ¿Cuándo volveremos a contratar a gente? => ¿Hay vacantes en este momento?
    38 Todas las fechas se almacenan en UTC. => ¿En qué zona horaria se almacenan las fechas? => ¿Qué zona horaria usamos al guardar las marcas de tiempo?
    39 La oficina permanece cerrada entre Navidad y Año Nuevo. => ¿Cuándo está cerrada la oficina? => ¿Trabaja alguien la última semana de diciembre?
    40 Todo cambio necesita la aprobación de dos revisores. => ¿Cuántos revisores tienen que aprobar un cambio? => ¿Cuántas personas tienen que mirar una pull request antes de fusionarla?
    41 La planificación semanal ha pasado del lunes al miércoles a las diez. => ¿Cuándo es la planificación semanal? => ¿Cuándo nos reunimos para organizar la semana?
    42 En la reunión del consejo, Nadia presentó las cifras de ventas. => ¿Quién presentó las cifras de ventas en la reunión del consejo? => ¿Quién habló de los ingresos ante los directivos?
    43 La llamada con el proveedor se canceló por la huelga. => ¿Por qué se canceló la llamada con el proveedor? => ¿Por qué no hablamos con el suministrador?
    44 La retrospectiva mostró que las pruebas tardan demasiado en ejecutarse. => ¿Qué mostró la retrospectiva? => ¿Qué fue lo que más molestó a los desarrolladores al repasar el sprint?
    45 El script de importación falla si una línea contiene un punto y coma. => ¿Cuándo falla el script de importación? => ¿Qué carácter impide que se carguen los datos?
    46 Nuestro tren a Viena sale a las 7:42 del andén 9. => ¿A qué hora sale nuestro tren a Viena? => ¿A qué hora partimos hacia Austria?
    47 En Kioto nos alojamos en una pequeña posada junto al río. => ¿Dónde nos alojamos en Kioto? => ¿Dónde dormimos en nuestro viaje a Japón?
    48 Mi pasaporte es válido hasta 2031. => ¿Hasta cuándo es válido mi pasaporte? => ¿Cuándo tendré que solicitar documentos de viaje nuevos?
    49 Alquilamos una autocaravana para las vacaciones en Escocia. => ¿Qué alquilamos para las vacaciones en Escocia? => ¿Qué vehículo condujimos por las Tierras Altas?
    50 La maleta con la rueda rota está en el sótano. => ¿Dónde está la maleta con la rueda rota? => ¿Dónde está el equipaje estropeado?
    51 El abuelo toma una pastilla para la tensión todas las mañanas. => ¿Qué toma el abuelo todas las mañanas? => ¿Qué medicamento tiene recetado el yayo?
    52 Tengo cita con el dentista el jueves a las cuatro y media. => ¿Cuándo tengo cita con el dentista? => ¿Cuándo me van a revisar la boca?
    53 El médico le aconsejó a Karim nadar dos veces por semana por la espalda. => ¿Qué le aconsejó el médico a Karim? => ¿Qué deporte debería hacer Karim contra el dolor?
    54 Desde la operación, la tía Rosa ya no puede subir escaleras. => ¿Desde cuándo no puede subir escaleras la tía Rosa? => ¿Por qué necesita Rosa un piso con ascensor?
    55 La llave de repuesto está debajo de la maceta azul. => ¿Dónde está la llave de repuesto? => ¿Cómo entro en casa si me quedo fuera?
    56 La lavadora pierde agua durante el centrifugado. => ¿Cuándo pierde agua la lavadora? => ¿Qué electrodoméstico gotea?
    57 Al gato solo se le da de comer por la noche. => ¿Cuándo se le da de comer al gato? => ¿A qué hora del día recibe alimento nuestra mascota?
    58 El papel usado se recoge un viernes de cada dos. => ¿Cada cuánto se recoge el papel usado? => ¿Cuándo hay que sacar a la calle los periódicos viejos?
    59 La función que analiza fechas falla en los años bisiestos. => ¿En qué años falla la función que analiza fechas? => ¿Qué error tenemos con el 29 de febrero?
    60 Las pruebas se ejecutan en paralelo, así que no deben compartir una carpeta temporal. => ¿Por qué las pruebas no deben compartir una carpeta temporal? => ¿Por qué cada caso de prueba necesita su propio directorio?
  `,
};
